// What is decided of skills once the classes of all files are final: includes, copies, which of them count.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Classes } from '../classify.ts';
import { type Copies, discoverable, findCopies } from './build-copies.ts';
import { type Includes, type JudgedIncludes, judgeIncludes, NOTHING } from './build-includes.ts';
import type { Said } from './build-licences.ts';
import type { Restrictions } from './build-restrictions.ts';
import type { Commit } from './build-steps.ts';

/** By the numbers of the skills. */
export interface JudgedSkills {
  readonly includes: readonly JudgedIncludes[];
  /** 1 for each skill without rules that apply to it: their licence keeps them at their source. */
  readonly lacksRules: Uint8Array;
  readonly licences: readonly Said[];
  readonly copies: Copies;
  readonly discoverable: Uint8Array;
}

export function judgeSkills(
  commit: Commit,
  classes: Classes,
  includes: Includes,
  restrictions: Restrictions,
): JudgedSkills {
  const { listing, facts } = commit;
  const { described, licences } = restrictions;
  const lacksRules = reportKeptRules(commit, classes, restrictions);
  const judged = classes.skills.map((entry, skill) => {
    // Nothing is put together of what is only described.
    if (described[skill] === 1) return NOTHING;
    const allowed = includes.allowed[skill] ?? [];
    const own = listing.path[entry] ?? '';
    return judgeIncludes(own, allowed, classes, facts, restrictions, commit.diagnostics);
  });
  const copies = findCopies({
    listing,
    skills: classes.skills,
    owner: classes.owner,
    rulesOf: (skill) => rulesInForce(commit, classes.skills[skill] ?? 0),
    includesOf: (skill) => judged[skill] ?? NOTHING,
    licenceOf: (skill) => licences[skill] ?? null,
  });
  return { includes: judged, lacksRules, licences, copies, discoverable: discoverable(copies) };
}

/** Rules that one skill lacks by name, from the root down: hundreds can be in force for each of thousands of skills. */
const MAX_NAMED_RULES = 10;

/** Says of each skill that is served which of the rules above it are not. Returns 1 for those. */
function reportKeptRules(
  commit: Commit,
  { skills }: Classes,
  { described, keeping }: Restrictions,
): Uint8Array {
  const { listing, manifests, diagnostics } = commit;
  const lacks = new Uint8Array(skills.length);
  const kept = new Map<number, string>();
  for (const { entry, hasRules } of manifests) {
    const licence = hasRules ? keeping(entry) : null;
    if (licence !== null) kept.set(entry, licence.label);
  }
  if (kept.size === 0) return lacks;
  skills.forEach((entry, skill) => {
    if (described[skill] === 1) return;
    const lacking = rulesInForce(commit, entry).filter((rules) => kept.has(rules));
    if (lacking.length > 0) lacks[skill] = 1;
    const path = listing.path[entry] ?? '';
    for (const rules of lacking.slice(0, MAX_NAMED_RULES)) {
      const license = kept.get(rules) ?? '';
      diagnostics.push(diagnostic('kept_at_source', { path, file: listing.path[rules] ?? '', license }));
    }
  });
  return lacks;
}

/** The entries of the manifests at and above an entry's folder, from the root down. */
export function rulesInForce({ policy }: Commit, entry: number): number[] {
  const rules: number[] = [];
  let number = policy.governing[entry] ?? -1;
  while (number !== -1) {
    rules.push(policy.manifests[number]?.entry ?? 0);
    number = policy.above[number] ?? -1;
  }
  return rules.reverse();
}
