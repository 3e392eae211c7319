// Repository-root paths: which are addressable, how they are ordered, how they are taken apart.
import { hasUnseen } from './lib/characters.ts';
import { codePointLength } from './text.ts';

export const MAX_PATH_CHARACTERS = 1_024;

export interface PathRules {
  /** '' names the repository root and is allowed. */
  readonly root?: boolean;
}

/** What can be wrong with a path. */
export type PathFault =
  | 'empty'
  | 'leading_slash'
  | 'trailing_slash'
  | 'backslash'
  | 'empty_part'
  | 'dot_part'
  | 'unseen'
  | 'too_long';

const SENTENCES: Readonly<Record<PathFault, string>> = {
  empty: 'The path is empty; write it from the repository root, such as docs/guide.md.',
  leading_slash:
    'A path starts at the repository root without a leading "/": write docs/guide.md, not /docs/guide.md.',
  trailing_slash: 'A path has no "/" at its end: write docs, not docs/.',
  backslash: 'A path separates its parts with "/" and has no backslash: write docs/guide.md.',
  empty_part: 'A path has no empty part: write docs/guide.md, not docs//guide.md.',
  dot_part:
    'A path has no "." or ".." part; write it in full from the repository root, such as docs/guide.md.',
  unseen:
    'A path has no control, bidirectional or invisible character; write only characters that can be seen.',
  too_long: `A path has at most ${MAX_PATH_CHARACTERS.toLocaleString('en-US')} characters.`,
};

/**
 * Says what is wrong with a repository-root path, in one sentence that shows the right spelling; null = nothing.
 * Source: spec, Addresses, "path"; contract, Inputs. A path is never repaired.
 */
export function checkRepositoryPath(path: string, rules: PathRules = {}): string | null {
  if (path === '' && rules.root === true) return null;
  const fault = pathFault(path);
  return fault === null ? null : SENTENCES[fault];
}

/** The first thing that is wrong with a path, wherever it starts; null = nothing. */
export function pathFault(path: string): PathFault | null {
  if (path === '') return 'empty';
  if (path.startsWith('/')) return 'leading_slash';
  if (path.endsWith('/')) return 'trailing_slash';
  if (path.includes('\\')) return 'backslash';
  if (path.includes('//')) return 'empty_part';
  if (hasDotSegment(path)) return 'dot_part';
  if (hasUnseen(path)) return 'unseen';
  if (path.length > MAX_PATH_CHARACTERS && codePointLength(path) > MAX_PATH_CHARACTERS) return 'too_long';
  return null;
}

function hasDotSegment(path: string): boolean {
  let at = path.indexOf('.');
  while (at !== -1) {
    if (at === 0 || path[at - 1] === '/') {
      const end = path[at + 1] === '.' ? at + 2 : at + 1;
      if (end === path.length || path[end] === '/') return true;
    }
    at = path.indexOf('.', at + 1);
  }
  return false;
}

/**
 * Orders two texts as their UTF-8 bytes are ordered, which is how git orders a tree. UTF-16 agrees except where a
 * surrogate pair meets a unit from U+E000 on: the pair is the greater one.
 */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return byteRank(x) - byteRank(y);
  }
  return a.length - b.length;
}

function byteRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** Joins a folder ('' = root) and a relative path. */
export function joinPath(folder: string, path: string): string {
  if (folder === '') return path;
  return path === '' ? folder : `${folder}/${path}`;
}

/** The folder a path lies in; '' for what lies in the root. */
export function dirname(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}

export function basename(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Whether some segment starts with a dot. */
export function isHidden(path: string): boolean {
  return path.startsWith('.') || path.includes('/.');
}

/** Whether a path is strictly below a folder; everything but the root itself is below ''. */
export function isBelow(path: string, folder: string): boolean {
  if (folder === '') return path !== '';
  return path.length > folder.length + 1 && path.startsWith(folder) && path[folder.length] === '/';
}

/** Whether a path is the folder itself or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || isBelow(path, folder);
}
