// What licences keep at the source: skills that are described only, and files that are not served at all.
import type { ResolvedLicence } from '@skillquay/core/licence';
import { dirname } from '@skillquay/core/paths';
import { type Classes, withheldNumber } from '../classify.ts';
import { RowClass } from '../tables.ts';
import type { Said } from './build-licences.ts';
import { belowAt } from './build-ranges.ts';
import { Found } from './build-read.ts';
import type { Commit } from './build-steps.ts';
import { nearestKept } from './licence-place.ts';

const RESTRICTIVE = withheldNumber('restrictive_license');

export interface Restrictions {
  /** What was said of each skill, by its number. */
  readonly licences: readonly Said[];
  /** 1 for each skill that is described only. */
  readonly described: Uint8Array;
  /** The licences that keep folders back whose SKILL.md is no skill. */
  readonly keptFolders: ReadonlyMap<string, ResolvedLicence>;
  /** What keeps a file at its source, null where nothing does: it follows its skill, else its place. */
  keeping(entry: number): Said;
}

/** Resolves the licences of skills and keeps back what they do not let through, in `classes`. Source: format, section 10. */
export function restrict(
  commit: Commit,
  classes: Classes,
  keptFolders: ReadonlyMap<string, ResolvedLicence>,
): Restrictions {
  const { listing, licences, policy, facts, serving } = commit;
  const restrictive = (said: Said) => (serving === 'licensed' && said?.kind === 'restrictive' ? said : null);
  const pathOf = (entry: number) => listing.path[entry] ?? '';
  const ofSkills = classes.skills.map((entry) =>
    licences.ofSkill(dirname(pathOf(entry)), policy.governing[entry] ?? -1, () => facts.licenceOf(entry)),
  );
  const keepingSkill = ofSkills.map(restrictive);
  const keeping = (entry: number): Said => {
    const nearest = classes.nearest[entry] ?? -1;
    const around = nearest === -1 ? null : dirname(pathOf(classes.skills[nearest] ?? -1));
    const kept = nearestKept(keptFolders, pathOf(entry), around);
    if (kept !== null) return kept.licence;
    const owner = classes.owner[entry] ?? -1;
    if (owner !== -1) return keepingSkill[owner] ?? null;
    // All that lies in the directory of such a skill stays there: rules, and what is hidden in it.
    const ofNearest = keepingSkill[nearest] ?? null;
    return ofNearest ?? restrictive(licences.ofPlace(policy.governing[entry] ?? -1));
  };
  for (let entry = 0; entry < listing.count; entry += 1) {
    const rowClass = classes.class[entry] ?? 0;
    if (rowClass === 0 || rowClass === RowClass.withheld || keeping(entry) === null) continue;
    // It is withheld for the limit that it lies beyond, which is what its author can do something about.
    if (facts.found[entry] === Found.refused) continue;
    classes.withheld[entry] = RESTRICTIVE;
    facts.links[entry] = undefined;
    if (rowClass !== RowClass.skill) classes.class[entry] = RowClass.withheld;
  }
  forgetKeptRules(commit, classes);
  const described = Uint8Array.from(keepingSkill, (said) => (said === null ? 0 : 1));
  return { licences: ofSkills, described, keptFolders, keeping };
}

/**
 * Learns the sizes of what is kept back in the directory of a skill that is served: its document names each such file
 * with its bytes (format, section 8).
 */
export async function measureKept(
  { listing, reading }: Commit,
  classes: Classes,
  { described }: Restrictions,
): Promise<void> {
  const isNamed = new Uint8Array(listing.count);
  classes.skills.forEach((entry, skill) => {
    if (described[skill] === 1) return;
    const { from, to } = belowAt(listing.path, dirname(listing.path[entry] ?? ''), entry);
    isNamed.fill(1, from, to);
  });
  const files: number[] = [];
  isNamed.forEach((named, entry) => {
    if (named === 1 && classes.withheld[entry] === RESTRICTIVE) files.push(entry);
  });
  await reading.measure(files);
}

/** What was noticed in the body of a manifest that is kept back may repeat words of it. */
function forgetKeptRules({ manifests, listing, diagnostics }: Commit, classes: Classes): void {
  const lines = new Map<string, number>();
  for (const { entry, bodyLine } of manifests)
    if (classes.withheld[entry] === RESTRICTIVE) lines.set(listing.path[entry] ?? '', bodyLine);
  if (lines.size === 0) return;
  const told = diagnostics.filter(({ path, line = 0 }) => line < (lines.get(path) ?? line + 1));
  diagnostics.splice(0, diagnostics.length, ...told);
}
