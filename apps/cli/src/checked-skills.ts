// What `check` says of the skills of a folder, one by one and in sums.
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic, SkillFacts } from '@skillquay/core/facts';
import type { Licence, ResolvedLicence } from '@skillquay/core/licence';
import type { BuildReport } from '@skillquay/snapshot/build';
import type { Index } from '@skillquay/snapshot/index';
import { listingReason, notListed } from '@skillquay/snapshot/not-listed';
import { RowClass } from '@skillquay/snapshot/tables';
import { undiscoverableReason } from '@skillquay/snapshot/undiscoverable';

export interface CheckedSkill {
  readonly path: string;
  readonly facts: SkillFacts;
  readonly files: readonly string[];
  /** The licence that holds and where it is said; absent where nothing was said. */
  readonly licence?: ResolvedLicence;
  /** Its licence keeps its content at the source. */
  readonly describedOnly: boolean;
  /** Why search and counts pass it over. */
  readonly undiscoverable?: string;
  /** Why the skills extension does not list it: the code of the reason. */
  readonly notListed?: string;
}

/** The skills under one licence, and where it is said; null where nothing was said of them. */
export interface CheckedLicence {
  readonly licence: Licence | null;
  readonly skills: number;
  readonly where: readonly string[];
}

/** What hosts that list skills get. */
export interface ExtensionStatus {
  readonly listed: number;
  /** How many are not, by the code of the reason. */
  readonly notListed: Readonly<Record<string, number>>;
}

/** Every skill of an index, by its number. */
export function skillsOf(index: Index): CheckedSkill[] {
  const files: string[][] = Array.from({ length: index.skillCount }, () => []);
  for (let row = 0; row < index.rowCount; row += 1)
    if (index.class[row] === RowClass.supporting) files[index.owner[row] ?? -1]?.push(index.path(row));
  return files.map((own, number) => {
    const undiscoverable = undiscoverableReason(index, number);
    const notListed = listingReason(index, number);
    const row = index.skillRow[number] ?? 0;
    const licence = index.skillLicence(number);
    return {
      path: index.path(row),
      facts: index.skill(number).facts,
      files: own,
      ...(licence === null ? {} : { licence }),
      describedOnly: index.withheld[row] !== 0,
      ...(undiscoverable === null ? undefined : { undiscoverable }),
      ...(notListed === '' ? undefined : { notListed }),
    };
  });
}

export function extensionStatus(skills: readonly CheckedSkill[]): ExtensionStatus {
  const notListed: Record<string, number> = {};
  for (const { notListed: reason } of skills)
    if (reason !== undefined) notListed[reason] = (notListed[reason] ?? 0) + 1;
  const listed = skills.filter((skill) => skill.notListed === undefined).length;
  return { listed, notListed };
}

/** Skills that an author can get listed, where no diagnostic of the file says so already. */
export function unlisted(index: Index, { diagnostics }: BuildReport): Diagnostic[] {
  const said = new Set(diagnostics.map(({ path, code }) => `${code} ${path}`));
  const found: Diagnostic[] = [];
  for (let skill = 0; skill < index.skillCount; skill += 1) {
    const reason = notListed(index, skill);
    if (reason?.severity !== 'warning') continue;
    if (!said.has(`${listingReason(index, skill)} ${reason.path}`)) found.push(reason);
  }
  return found;
}

/** Says of a skill that is described only which license keeps it. */
export function describedOnly({ path, licence, describedOnly }: CheckedSkill): Diagnostic[] {
  if (!describedOnly || licence === undefined) return [];
  return [diagnostic('described_only', { path, license: licence.label, where: licence.where })];
}

/** Groups skills by their licence. */
export function licencesOf(skills: readonly CheckedSkill[]): CheckedLicence[] {
  const groups = new Map<string, { licence: Licence | null; skills: number; where: Set<string> }>();
  for (const { licence, undiscoverable } of skills) {
    if (undiscoverable !== undefined) continue;
    const key = licence === undefined ? '' : `${licence.kind} ${licence.label}`;
    const said = licence === undefined ? null : { kind: licence.kind, label: licence.label };
    const group = groups.get(key) ?? { licence: said, skills: 0, where: new Set() };
    groups.set(key, group);
    group.skills += 1;
    if (licence !== undefined) group.where.add(licence.where);
  }
  return [...groups.values()]
    .map((group) => ({ ...group, where: [...group.where] }))
    .sort((a, b) => b.skills - a.skills);
}
