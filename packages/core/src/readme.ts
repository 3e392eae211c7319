// Chooses the README that introduces a folder. Source: format, section 7.
import { compareUtf8 } from './paths.ts';

const README = /^readme\.(?:md|markdown|mdx)$/i;

const LETTER_R = 0x72;

/** Whether a file of that name can introduce its folder: a Markdown README without a language suffix. */
export function isReadmeName(name: string): boolean {
  return README.test(name);
}

/** Whether the last name of a path is such a name. Every path of a commit is asked, and one letter tells most apart. */
export function isReadmePath(path: string): boolean {
  const at = path.lastIndexOf('/') + 1;
  return (path.charCodeAt(at) | 0x20) === LETTER_R && isReadmeName(path.slice(at));
}

/** The name of the README among the file names of one folder, or null. */
export function chooseReadme(names: readonly string[]): string | null {
  let best: string | null = null;
  for (const name of names) {
    if (isReadmeName(name) && (best === null || compare(name, best) < 0)) best = name;
  }
  return best;
}

function compare(a: string, b: string): number {
  return rank(a) - rank(b) || compareUtf8(a, b);
}

function rank(name: string): number {
  if (name === 'README.md') return 0;
  if (name === 'readme.md') return 1;
  const extension = name.slice(name.indexOf('.') + 1).toLowerCase();
  return extension === 'md' ? 2 : extension === 'markdown' ? 3 : 4;
}
