// Escapes of one URL path segment, the same for addresses and skill URIs.

/** Everything the URL Standard would escape in a path, and `^` which only some of its versions do; `%` so that it stays itself. */
const ESCAPED = /[^A-Za-z0-9_!$&'()*+,.:;=@[\]|~-]/gu;

/** Escapes a segment so that it survives any URL parser and decodes to itself. The text must be well-formed. */
export function encodeSegment(segment: string): string {
  return segment.replace(ESCAPED, (character) => encodeURIComponent(character));
}

const ESCAPED_IN_PATH = /[^A-Za-z0-9_!$&'()*+,.:;=@[\]|~/-]/gu;

/** Escapes each segment of a path. */
export function encodePath(path: string): string {
  return path.replace(ESCAPED_IN_PATH, (character) => encodeURIComponent(character));
}

export type DecodedSegment =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: 'separator' | 'malformed' };

/** Decodes once, strictly. An escaped `/` or `\` is refused: it would come to be a separator somewhere. */
export function decodeSegment(segment: string): DecodedSegment {
  if (/%(?:2f|5c)/i.test(segment)) return { ok: false, reason: 'separator' };
  if (/\p{Cs}/u.test(segment)) return { ok: false, reason: 'malformed' };
  if (!segment.includes('%')) return { ok: true, text: segment };
  try {
    return { ok: true, text: decodeURIComponent(segment) };
  } catch {
    return { ok: false, reason: 'malformed' };
  }
}
