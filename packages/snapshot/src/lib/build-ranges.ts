// A folder as a range of a sorted listing: everything below a folder lies side by side in path order.
import { compareUtf8 } from '@skillquay/core/paths';

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The first position (of a range) whose path is not before `path` in the order of UTF-8 bytes. */
export function lowerBound(paths: readonly string[], path: string, range?: Range): number {
  let low = range?.from ?? 0;
  let high = range?.to ?? paths.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareUtf8(paths[middle] ?? '', path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where exactly this path stands, -1 if it is not there. In a range: that of a folder the path lies below. */
export function positionOf(paths: readonly string[], path: string, range?: Range): number {
  const at = lowerBound(paths, path, range);
  return paths[at] === path ? at : -1;
}

/** Whether anything lies below this path. In a range: that of a folder the path lies below. */
export function isFolder(paths: readonly string[], path: string, range?: Range): boolean {
  const prefix = `${path}/`;
  return paths[lowerBound(paths, prefix, range)]?.startsWith(prefix) === true;
}

/** What lies below a folder; '' is the whole listing. */
export function below(paths: readonly string[], folder: string): Range {
  if (folder === '') return { from: 0, to: paths.length };
  const prefix = `${folder}/`;
  return around(paths, lowerBound(paths, prefix), prefix);
}

/** The same, when one position below the folder is known already: no look-up, only a walk outwards in doubling steps. */
export function belowAt(paths: readonly string[], folder: string, at: number): Range {
  return folder === '' ? { from: 0, to: paths.length } : around(paths, at, `${folder}/`);
}

function around(paths: readonly string[], at: number, prefix: string): Range {
  const inside = (i: number) => (paths[i] ?? '').startsWith(prefix);
  if (at >= paths.length || !inside(at)) return { from: at, to: at };
  let step = 1;
  while (at - step >= 0 && inside(at - step)) step *= 2;
  let low = Math.max(-1, at - step);
  let high = at;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (inside(middle)) high = middle;
    else low = middle;
  }
  const from = high;
  step = 1;
  while (at + step < paths.length && inside(at + step)) step *= 2;
  low = at;
  high = Math.min(paths.length, at + step);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (inside(middle)) low = middle;
    else high = middle;
  }
  return { from, to: high };
}
