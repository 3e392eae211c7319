// Whether a copy is of the branch that is looked at. The default branch has a name that not every look learns.
import type { Copy } from './copies.ts';

export interface LookedAt {
  /** As configured; null = the default one. */
  readonly configured: string | null;
  /** Its name; null where that is not known. */
  readonly name: string | null;
}

/** `unknown`: one of the two is the default branch, and the other a branch with a name that may be its own. */
export type Kinship = 'same' | 'other' | 'unknown';

export function kinship({ branch }: Copy, { configured, name }: LookedAt): Kinship {
  if (branch === configured || (branch !== null && branch === name)) return 'same';
  if (branch === null || name === null) return 'unknown';
  return 'other';
}

/** The branch that a copy is of once it is what this one has. */
export function branchOnceThere({ branch }: Copy, { configured, name }: LookedAt): string | null {
  return configured ?? (branch === null ? null : name);
}

export function shownBranch({ configured, name }: LookedAt): string {
  const branch = configured ?? name;
  return branch === null ? 'its default branch' : `branch "${branch}"`;
}
