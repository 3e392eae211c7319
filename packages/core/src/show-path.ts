// How a line names a path: nothing in it may be taken for less, or more, than it is.
import { escapeUnseen } from './lib/characters.ts';

/** White space that no one would see, at an end or beside more of it; and the mark with which quotes begin. */
const UNCLEAR = /^[\s"]|\s$|\s\s/;

/**
 * The path as it is; in quotes, as JSON, where its white space would not be seen; with escapes for what cannot be seen
 * at all, which no address can name.
 */
export function showPath(path: string): string {
  const escaped = escapeUnseen(path);
  return escaped === path && UNCLEAR.test(path) ? JSON.stringify(path) : escaped;
}
