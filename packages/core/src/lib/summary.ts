// Makes of a text what a listing can show of it: one line, bounded, nothing in it that cannot be seen.
import { cutAtWord, oneLine } from '../text.ts';
import { dropForbidden } from './characters.ts';

/** Characters of a title and of a summary. Source: format, section 2. */
export const MAX_SUMMARY_CHARACTERS = 200;

/** The text for a listing; '' if no letter or digit is in it. */
export function summaryText(text: string): string {
  const line = oneLine(dropForbidden(text));
  return /[\p{L}\p{N}]/u.test(line) ? cutAtWord(line, MAX_SUMMARY_CHARACTERS) : '';
}
