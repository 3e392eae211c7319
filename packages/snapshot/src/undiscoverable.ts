// Why a skill is neither counted nor searched, in words that stand behind its entry. Source: format, section 9.
import { showPath } from '@skillquay/core/show-path';
import type { Index } from './index.ts';

/** Null for a skill that is discoverable. `names` says which other paths may be named. */
export function undiscoverableReason(
  index: Index,
  skill: number,
  names: (path: string) => boolean = () => true,
): string | null {
  if (index.skillDiscoverable(skill)) return null;
  const original = index.skillCopyOf[skill] ?? -1;
  if (original === -1) return 'hidden: the repository has visible skills';
  const path = index.path(index.skillRow[original] ?? -1);
  return names(path) ? `copy of ${showPath(path)}` : 'copy of a skill outside this mount';
}
