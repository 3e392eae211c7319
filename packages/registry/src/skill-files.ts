// The files of a skill on their way into a registry, and which paths they may have. Source: spec, The personal
// registry, "Paths".
import { cutAt, escapeUnseen, utf8Length } from '@skillquay/core/text';

export interface SkillFile {
  /** Relative to the skill's folder, `/` between its parts. */
  readonly path: string;
  /** A link's bytes are its target. */
  readonly mode: '100644' | '100755' | '120000';
  readonly bytes: Uint8Array;
}

/** Characters that no file system of the common ones takes in a name. */
const CONTROL = /[\0-\x1f\x7f-\x9f]/;
const MAX_PATH_BYTES = 1_024;
const MAX_SHOWN_CHARACTERS = 200;

export type CheckedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly message: string };

/**
 * Takes a path as it was given apart and gives it with `/` on every platform, or says why it cannot be used. Nothing is
 * repaired but one leading `./` and the other separator.
 */
export function checkSkillPath(given: string): CheckedPath {
  const refuse = (why: string): CheckedPath => ({
    ok: false,
    message: `Path '${shown(given)}' ${why}`,
  });
  if (given.trim() === '') return refuse('is empty. Name a file relative to the skill, such as SKILL.md.');
  if (CONTROL.test(given)) return refuse('holds a control character. Use visible characters only.');
  if (/\p{Cs}/u.test(given)) return refuse('holds half a character (a lone surrogate). Use whole ones only.');
  if (given.includes('\ufffd'))
    return refuse('holds U+FFFD, which stands for bytes that are no text. Rename it.');
  const slashed = given.replaceAll('\\', '/');
  if (slashed.startsWith('/')) return refuse('is absolute. Write it relative to the folder of the skill.');
  if (/^[a-z]:/i.test(slashed)) return refuse('names a drive. Write it relative to the folder of the skill.');
  const path = slashed.startsWith('./') ? slashed.slice(2) : slashed;
  if (utf8Length(path) > MAX_PATH_BYTES) return refuse(`is longer than ${MAX_PATH_BYTES} bytes.`);
  for (const segment of path.split('/')) {
    if (segment === '') return refuse('has an empty part. Write one separator between two names.');
    if (segment === '..') return refuse('has a ".." part. A skill holds only files below its own folder.');
    if (/^\.+$/.test(segment)) return refuse(`has a part of dots only ("${segment}").`);
    if (isGitsOwn(segment)) return refuse('has a ".git" part, which git keeps for itself.');
    if (/[. ]$/.test(segment))
      return refuse('has a part that ends with a dot or a space, which Windows drops.');
    if (/[<>:"|?*]/.test(segment))
      return refuse(`has a character that Windows does not take in "${segment}".`);
    if (isDevice(segment)) return refuse(`has the part "${segment}", which Windows keeps for a device.`);
  }
  return { ok: true, path };
}

/** Git itself checks none of these out: file systems drop what stands at the end of a name, or what nobody sees. */
export function isGitsOwn(segment: string): boolean {
  const seen = segment.replace(/\p{Default_Ignorable_Code_Point}/gu, '').normalize('NFKC');
  return /^\.git[. ]*$/i.test(seen) || /^git~1$/i.test(seen);
}

/** Names that Windows keeps for devices, whatever follows the dot. */
export function isDevice(segment: string): boolean {
  const stem = segment.split('.')[0]?.trimEnd() ?? '';
  return /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i.test(stem);
}

export type PathConflict = { readonly message: string } | null;

/**
 * What is wrong between paths that are each fine: two that are one where case and the composition of letters do not
 * count, or a file where another path needs a folder.
 */
export function findPathConflict(paths: readonly string[]): PathConflict {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  for (const path of paths) {
    const key = fold(path);
    const before = files.get(key);
    if (before !== undefined)
      return {
        message:
          before === path
            ? `Path '${shown(path)}' is given twice.`
            : `Paths '${shown(before)}' and '${shown(path)}' are one file where case or composition of letters does not count. Rename one.`,
      };
    files.set(key, path);
    for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
      const folder = path.slice(0, at);
      const other = folders.get(fold(folder));
      if (other !== undefined && other !== folder)
        return {
          message: `Folders '${shown(other)}' and '${shown(folder)}' are one where case or composition of letters does not count. Rename one.`,
        };
      folders.set(fold(folder), folder);
    }
  }
  for (const [key, path] of files)
    if (folders.has(key)) return { message: `Path '${shown(path)}' is both a file and a folder.` };
  return null;
}

/** Paths that are, or lie in, one of the paths before them where case and composition do not count, with that one. */
export function findTwins(paths: readonly string[]): ReadonlyMap<string, string> {
  const seen = new Map<string, string>();
  const twins = new Map<string, string>();
  for (const path of paths) {
    const parts = path.split('/');
    const places = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
    const taken = places.find((place) => (seen.get(fold(place)) ?? place) !== place);
    if (taken !== undefined) twins.set(path, seen.get(fold(taken)) ?? taken);
    else for (const place of places) seen.set(fold(place), place);
  }
  return twins;
}

function fold(path: string): string {
  return path.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}

/** A path in a sentence: on one line, without what nobody sees, and not without end. */
export function shown(path: string): string {
  return cutAt(escapeUnseen(path), MAX_SHOWN_CHARACTERS);
}
