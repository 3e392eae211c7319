// What is to be published, checked in the order in which people should hear of what is wrong. Source: spec, The
// personal registry, "publish_skill".
import { decodeUtf8 } from '@skillquay/core/decode';
import { compareUtf8 } from '@skillquay/core/paths';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { utf8Length } from '@skillquay/core/text';
import { RegistryError } from './errors.ts';
import { foldersOf, staysInside } from './lib/links.ts';
import { readMain } from './lib/read-main.ts';
import { type LocalFile, readLocalFolder } from './local-folder.ts';
import { checkSkillPath, findPathConflict, type SkillFile, shown } from './skill-files.ts';
import { slugify } from './slug.ts';

export const MAX_SKILL_BYTES = 100 * 1024 ** 2;
export const MAX_SKILL_FILES = 5_000;
/** A name that every file system takes, with room for what stands beside it in a cache. */
const MAX_SLUG_BYTES = 200;
/** Paths that a refusal lists. */
const MAX_PATHS_SHOWN = 20;

/** Exactly one of them. */
export interface PublishSource {
  /** Path relative to the skill's folder → text. */
  readonly files?: Readonly<Record<string, string>> | null | undefined;
  /** A folder of this machine, absolute or from `~`. */
  readonly localFolder?: string | null | undefined;
  /** Files from elsewhere, with their modes, or what reads them each time they are wanted (it throws RegistryError). */
  readonly skillFiles?: readonly SkillFile[] | (() => Promise<readonly SkillFile[]>) | undefined;
}

export interface PayloadOptions {
  readonly maxFileBytes: number;
  /** What `~` stands for; else the home of this user. */
  readonly home?: string | undefined;
  readonly signal: AbortSignal;
  /** Take front matter that nobody can read as a skill. */
  readonly force?: boolean | undefined;
}

export interface Payload {
  /** What a new folder would be named. */
  readonly slug: string;
  /** In byte order of their paths. */
  readonly files: readonly SkillFile[];
}

/** Throws RegistryError `invalid`. */
export async function readPayload(
  name: string,
  source: PublishSource,
  options: PayloadOptions,
): Promise<Payload> {
  checkOneSource([source.files, source.localFolder, source.skillFiles]);
  const slug = slugify(name);
  if (slug === '')
    throw bad(
      `The name '${shown(name)}' holds neither a letter nor a digit. Name the skill, such as auth-skill.`,
    );
  const slugBytes = utf8Length(slug);
  if (slugBytes > MAX_SLUG_BYTES)
    throw bad(
      `The name '${shown(name)}' makes a folder name of ${slugBytes} bytes; limit is ${MAX_SLUG_BYTES}. Choose a shorter one.`,
    );
  const { files, cut } = await given(source, options);
  const placed = checkedPaths(files);
  checkMain(placed, cut);
  const whole = checkedSizes(placed, cut, options.maxFileBytes);
  if (options.force !== true) checkFrontMatter(whole, slug);
  return { slug, files: whole };
}

/** Of these one alone may be there. Throws RegistryError `invalid`. */
export function checkOneSource(sources: readonly unknown[]): void {
  if (sources.filter((one) => one !== undefined && one !== null).length !== 1)
    throw bad('Pass exactly one of `files` or `local_folder`.');
}

async function given(
  source: PublishSource,
  options: PayloadOptions,
): Promise<{ readonly files: readonly LocalFile[]; readonly cut: boolean }> {
  if (typeof source.localFolder === 'string') {
    const limits = {
      fileBytes: options.maxFileBytes,
      allBytes: MAX_SKILL_BYTES,
      files: MAX_SKILL_FILES,
    };
    return readLocalFolder(source.localFolder, limits, options);
  }
  const { skillFiles } = source;
  const files =
    (typeof skillFiles === 'function' ? await skillFiles() : skillFiles) ??
    Object.entries(source.files ?? {}).map(textFile);
  return { files: files.map((file) => ({ ...file, size: file.bytes.length })), cut: false };
}

function textFile([path, text]: readonly [string, string]): SkillFile {
  if (/\p{Cs}/u.test(text))
    throw bad(`File '${shown(path)}' holds half a character (a lone surrogate), which UTF-8 cannot store.`);
  return { path, mode: '100644', bytes: new TextEncoder().encode(text) };
}

/** The files under the paths they are stored at, in byte order. */
function checkedPaths(files: readonly LocalFile[]): readonly LocalFile[] {
  const checked = files.map((file) => {
    const result = checkSkillPath(file.path);
    if (!result.ok) throw bad(result.message);
    return { ...file, path: result.path };
  });
  const conflict = findPathConflict(checked.map(({ path }) => path));
  if (conflict !== null) throw bad(conflict.message);
  const folders = foldersOf(checked.map(({ path }) => path));
  for (const { path, mode, bytes } of checked) {
    if (mode !== '120000' || bytes === null) continue;
    const target = decodeUtf8(bytes);
    if (!target.ok || !staysInside(path, target.text, folders))
      throw bad(
        `Link '${shown(path)}' leads out of the skill${target.ok ? `, to '${shown(target.text)}'` : ''}. Links are not followed; put a copy of the file in its place.`,
      );
  }
  return checked.sort((a, b) => compareUtf8(a.path, b.path));
}

function checkMain(files: readonly LocalFile[], cut: boolean): void {
  const main = files.find(({ path }) => path === SKILL_FILE);
  // It may be among those that were not looked at.
  if (main === undefined && cut) throw tooMany();
  if (main === undefined)
    throw bad(`Skill must contain a top-level SKILL.md. Got: ${listed(files.map(({ path }) => path))}.`);
  if (main.mode === '120000') throw bad('SKILL.md is a link. Put the file itself in its place.');
}

function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'no files';
  const rest = paths.length - MAX_PATHS_SHOWN;
  return `${paths.slice(0, MAX_PATHS_SHOWN).map(shown).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function checkedSizes(files: readonly LocalFile[], cut: boolean, maxFileBytes: number): readonly SkillFile[] {
  for (const { path, size } of files) {
    if (size > maxFileBytes)
      throw bad(
        `File '${shown(path)}' is ${size} bytes; limit is ${maxFileBytes} (override with SKILLS_MAX_FILE_BYTES).`,
      );
  }
  if (cut || files.length > MAX_SKILL_FILES) throw tooMany();
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const whole = files.filter((file) => file.bytes !== null);
  if (size > MAX_SKILL_BYTES || whole.length < files.length)
    throw bad(
      `The skill is ${size} bytes; limit is ${MAX_SKILL_BYTES} in all. Leave out what it does not need.`,
    );
  return whole.map(({ path, mode, bytes }) => ({ path, mode, bytes: bytes ?? new Uint8Array() }));
}

/** What the endpoint would serve no skill for is not published; recovered front matter is. */
function checkFrontMatter(files: readonly SkillFile[], slug: string): void {
  const main = files.find(({ path }) => path === SKILL_FILE);
  const read = main === undefined ? null : readMain(main.bytes, `${slug}/${SKILL_FILE}`);
  if (read === null || read.ok) return;
  const { line, message, hint } = read.problem;
  throw bad(`SKILL.md line ${line}: ${message} ${hint}`);
}

function tooMany(): RegistryError {
  return bad(
    `The skill has more than ${MAX_SKILL_FILES} files, which is the limit. Leave out what it does not need.`,
  );
}

function bad(message: string): RegistryError {
  return new RegistryError('invalid', message);
}
