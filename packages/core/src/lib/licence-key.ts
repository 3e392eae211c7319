// Under which key a licence is said. One who writes `License:` or `licence:` means to be heard.
import type { Fields, Value } from '../front-matter.ts';

const SPELLINGS = /^licen[cs]e$/i;

/** The value that counts, and whether another key contradicts it: then neither is taken for the licence. */
export function licenceGiven(given: Fields): {
  readonly value: Value | undefined;
  readonly disputed: boolean;
} {
  const keys = [...given.keys()].filter((key) => SPELLINGS.test(key));
  const value = given.get('license') ?? given.get(keys[0] ?? '');
  const textOf = (one: Value | undefined) => (one?.kind === 'text' ? one.text.trim() : null);
  const disputed = keys.length > 1 && keys.some((key) => textOf(given.get(key)) !== textOf(value));
  return { value, disputed };
}
