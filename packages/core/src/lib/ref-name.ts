// Which names git allows for a ref. Source: git-check-ref-format(1).
import { codePointLength } from '../text.ts';

export const MAX_REF_CHARACTERS = 255;

/** Completes "A ref …" with what is wrong; null = the name is valid. */
export function checkRefName(ref: string): string | null {
  if (ref === '') return 'has a name; leave out the "@" for the default branch';
  if (codePointLength(ref) > MAX_REF_CHARACTERS) return `has at most ${MAX_REF_CHARACTERS} characters`;
  if (/[\x00-\x20\x7f~^:?*[\\]/.test(ref)) return 'has no space, control character, or any of ~ ^ : ? * [ \\';
  if (ref.startsWith('/') || ref.endsWith('/') || ref.includes('//'))
    return 'has no empty part between slashes';
  if (ref.includes('..')) return 'has no ".."';
  if (ref.includes('@{')) return 'has no "@{"';
  if (ref === '@') return 'is not just "@"';
  if (ref.endsWith('.')) return 'does not end with "."';
  // Not a rule of the plumbing, but no branch or tag can be made with such a name.
  if (ref.startsWith('-')) return 'does not start with "-"';
  for (const part of ref.split('/')) {
    if (part.startsWith('.')) return 'has no part that starts with "."';
    if (part.endsWith('.lock')) return 'has no part that ends with ".lock"';
  }
  return null;
}
