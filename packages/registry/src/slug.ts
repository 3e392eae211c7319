// Names of skills as names of folders. Source: spec, The personal registry, "slugify" and "get_skill".

/** Names that Windows keeps for devices, whatever follows the dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin|conout|com[0-9¹²³]|lpt[0-9¹²³])$/;
/** A name that every file system takes, with room for what stands beside it in a cache. */
const MAX_SLUG_BYTES = 200;

/**
 * The folder name for a display name: letters and digits of any script in lower case, single hyphens between them.
 * '' when the name holds neither: the caller refuses it, so that no two names become one silently.
 */
export function slugify(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mn}+/gu, (marks, at: number, all: string) => keptMarks(marks, all.slice(0, at)))
    .normalize('NFC')
    .toLowerCase()
    // Lower case can take a letter apart again (İ).
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const slug = cut(plain);
  return DEVICE.test(slug) ? `${slug}-skill` : slug;
}

/** Marks are accents in Latin, Greek and Cyrillic, and part of the letter elsewhere: voiced kana, vowel signs. */
function keptMarks(marks: string, before: string): string {
  return /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}]$/u.test(before) ? '' : marks;
}

function cut(slug: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of slug) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > MAX_SLUG_BYTES) break;
    end += character.length;
  }
  return end === slug.length ? slug : slug.slice(0, end).replace(/-+$/, '');
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
  return alike.length === 1 ? { kind: 'one', slug: only } : { kind: 'several', slugs: alike.sort() };
}

function bare(name: string): string {
  return slugify(name).replaceAll('-', '');
}
