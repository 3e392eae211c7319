// Names of skills as names of folders. Source: spec, The personal registry, "slugify" and "get_skill".
import { compareUtf8 } from '@skillquay/core/paths';
import { isDevice } from './skill-files.ts';

/** Letters and marks that nobody sees, and marks that enclose what is before them. */
const UNSEEN = /(?=[\p{L}\p{M}])\p{Default_Ignorable_Code_Point}|\p{Me}/gu;
/** Where marks are accents or points; elsewhere they are part of the letter: voiced kana, vowel signs. */
const WITHOUT_MARKS =
  /[^\p{L}]|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]/u;

/**
 * The folder name for a display name: letters and digits of any script in lower case, single hyphens between them.
 * '' when the name holds neither: the caller refuses it, so that no two names become one silently.
 */
export function slugify(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(UNSEEN, '')
    .replace(/(\P{M}?)\p{M}+/gu, (all, letter: string) =>
      letter === '' || WITHOUT_MARKS.test(letter) ? letter : all,
    )
    .normalize('NFC')
    .toLowerCase()
    // Lower case can take a letter apart again (İ).
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  return isDevice(slug) ? `${slug}-skill` : slug;
}

export type Resolved =
  | { readonly kind: 'one'; readonly slug: string }
  | { readonly kind: 'none' }
  /** In byte order. */
  | { readonly kind: 'several'; readonly slugs: readonly string[] };

/**
 * The folder that is meant: exactly this name, then the slug of it, then the one that is equal when only letters and
 * digits count and their case does not.
 */
export function resolveSlug(asked: string, folders: readonly string[]): Resolved {
  if (folders.includes(asked)) return { kind: 'one', slug: asked };
  const slug = slugify(asked);
  if (slug !== '' && folders.includes(slug)) return { kind: 'one', slug };
  const wanted = bare(asked);
  if (wanted === '') return { kind: 'none' };
  const alike = folders.filter((folder) => bare(folder) === wanted);
  const [only] = alike;
  if (only === undefined) return { kind: 'none' };
  return alike.length === 1
    ? { kind: 'one', slug: only }
    : { kind: 'several', slugs: alike.sort(compareUtf8) };
}

function bare(name: string): string {
  return slugify(name).replaceAll('-', '');
}
