// Repository-root paths: which are addressable, how they are ordered, how they are taken apart.
import { codePointLength } from './text.ts';

export const MAX_PATH_CHARACTERS = 1_024;

/**
 * What no path may contain: controls, line separators, bidirectional controls, characters that show nothing, and
 * halves of a surrogate pair. The two selectors that choose between the text and the emoji form of a character
 * (U+FE0E, U+FE0F) are part of how ordinary emoji are typed, so they may stand.
 */
const UNSEEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]|(?![\ufe0e\ufe0f])\p{Default_Ignorable_Code_Point}/u;

const PLAIN = /^[\x20-\x7e]*$/;

export interface PathRules {
  /** '' names the repository root and is allowed. */
  readonly root?: boolean;
}

/**
 * Says what is wrong with a repository-root path, in one sentence that shows the right spelling; null = nothing.
 * Source: spec, Addresses, "path"; contract, Inputs. A path is never repaired.
 */
export function checkRepositoryPath(path: string, rules: PathRules = {}): string | null {
  if (path === '') {
    return rules.root === true
      ? null
      : 'The path is empty; write it from the repository root, such as docs/guide.md.';
  }
  if (path.startsWith('/')) {
    return 'A path starts at the repository root without a leading "/": write docs/guide.md, not /docs/guide.md.';
  }
  if (path.endsWith('/')) {
    return 'A path has no "/" at its end: write docs, not docs/.';
  }
  if (path.includes('\\')) {
    return 'A path separates its parts with "/" and has no backslash: write docs/guide.md.';
  }
  if (path.includes('//')) {
    return 'A path has no empty part: write docs/guide.md, not docs//guide.md.';
  }
  if (hasDotSegment(path)) {
    return 'A path has no "." or ".." part; write it in full from the repository root, such as docs/guide.md.';
  }
  if (!PLAIN.test(path) && UNSEEN.test(path)) {
    return 'A path has no control, bidirectional or invisible character; write only characters that can be seen.';
  }
  if (path.length > MAX_PATH_CHARACTERS && codePointLength(path) > MAX_PATH_CHARACTERS) {
    return 'A path has at most 1,024 characters.';
  }
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

/** Whether a text holds a character that no path may contain. */
export function hasUnseenCharacter(text: string): boolean {
  return !PLAIN.test(text) && UNSEEN.test(text);
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
