// What is decided of skills once the classes of all files are final: includes, copies, which of them count.
import type { Classes } from '../classify.ts';
import { type Copies, discoverable, findCopies } from './build-copies.ts';
import { type Includes, type JudgedIncludes, judgeIncludes } from './build-includes.ts';
import type { Commit } from './build-steps.ts';

/** By the numbers of the skills. */
export interface JudgedSkills {
  readonly includes: readonly JudgedIncludes[];
  readonly copies: Copies;
  readonly discoverable: Uint8Array;
}

export function judgeSkills(commit: Commit, classes: Classes, includes: Includes): JudgedSkills {
  const { listing, facts } = commit;
  const judged = classes.skills.map((entry, skill) =>
    judgeIncludes(
      listing.path[entry] ?? '',
      includes.allowed[skill] ?? [],
      classes,
      facts,
      commit.diagnostics,
    ),
  );
  const copies = findCopies({
    listing,
    skills: classes.skills,
    owner: classes.owner,
    rulesOf: (skill) => rulesInForce(commit, classes.skills[skill] ?? 0),
    includesOf: (skill) => judged[skill] ?? { entries: [], missing: [] },
  });
  return { includes: judged, copies, discoverable: discoverable(copies) };
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
