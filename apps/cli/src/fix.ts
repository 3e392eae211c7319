// Repairs what is mechanical in a folder of skills: each repair is checked before it is written, and said.
import { lstat, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import type { Diagnostic } from '@skillquay/core/facts';
import { readFrontMatter } from '@skillquay/core/front-matter';
import { SKILL_FILE } from '@skillquay/core/skill-file';

/** A top-level `key: value` on one line. */
const PLAIN_LINE = /^([A-Za-z][\w-]*):[ \t]+(\S.*?)[ \t]*(\r?)$/;
/** A file in which more values need quotes is left to its author. */
const MAX_QUOTED_LINES = 20;
/** Values that are prose: what looks like a comment or a list there was meant as words. */
const PROSE = new Set(['description', 'compatibility']);
/** The name a skill must have to be portable. */
const PORTABLE_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Mends what the diagnostics name and returns a sentence for each repair made. Links are not followed. */
export async function fixFolder(folder: string, diagnostics: readonly Diagnostic[]): Promise<string[]> {
  const done: string[] = [];
  const misnamed = diagnostics.filter(({ code }) => code === 'misnamed_skill_file');
  for (const { path } of misnamed) done.push(...(await renameSkillFile(folder, path)));

  const renamed = new Map(misnamed.map(({ path }) => [path, join(dirname(path), SKILL_FILE)]));
  const byFile = new Map<string, Diagnostic[]>();
  for (const diagnostic of diagnostics) {
    const path = renamed.get(diagnostic.path) ?? diagnostic.path;
    byFile.set(path, [...(byFile.get(path) ?? []), diagnostic]);
  }
  for (const [path, found] of byFile) {
    if (basename(path) !== SKILL_FILE) continue;
    const file = await ownFile(folder, path);
    if (file === null) continue;
    const before = await readFile(file);
    const text = before.toString('utf8');
    // Bytes that are not UTF-8 would not survive: leave such a file to its author.
    if (!Buffer.from(text, 'utf8').equals(before)) continue;
    const linesOf = (...codes: string[]) =>
      found.filter(({ code }) => codes.includes(code)).map(({ line }) => line ?? 0);
    let after = text;
    const cut = linesOf('commented_value');
    if (cut.length > 0 || linesOf('recovered_front_matter', 'invalid_front_matter').length > 0)
      after = quoteValues(after, path, cut);
    if (linesOf('name_directory_mismatch').length > 0) after = renameToDirectory(after, path);
    if (after === text) continue;
    await replaceFile(file, after);
    done.push(`fixed: ${path}: ${changedLines(text, after)}`);
  }
  return done;
}

/** The path on disk of a regular file that lies in the folder without any link on the way; null otherwise. */
async function ownFile(folder: string, path: string): Promise<string | null> {
  const file = join(folder, ...path.split('/'));
  const facts = await lstat(file).catch(() => null);
  if (facts === null || !facts.isFile()) return null;
  const real = await realpath(file);
  return real === file && real.startsWith(folder + sep) ? file : null;
}

/** The whole new text or the old one; nobody sees half of it, and a second name of the same file keeps its content. */
async function replaceFile(file: string, text: string): Promise<void> {
  const { mode } = await lstat(file);
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, text, { mode, flag: 'wx' });
  await rename(draft, file);
}

async function renameSkillFile(folder: string, path: string): Promise<string[]> {
  const file = await ownFile(folder, path);
  if (file === null) return [];
  const target = join(dirname(file), SKILL_FILE);
  const there = await lstat(target).catch(() => null);
  const itself = await lstat(file);
  // On a file system that ignores case the target is the file itself.
  if (there !== null && there.ino !== itself.ino) return [];
  await rename(file, target);
  return [`fixed: ${path}: renamed to ${SKILL_FILE}`];
}

/**
 * Quotes the values at which YAML stumbles, one after the other, and those that a comment cuts short. The text as it
 * is when that does not make it readable: half a repair is none.
 */
function quoteValues(text: string, path: string, cutLines: readonly number[]): string {
  const lines = text.split('\n');
  for (const line of cutLines) quoteLine(lines, line - 1, PROSE);
  for (let attempt = 0; attempt < MAX_QUOTED_LINES; attempt += 1) {
    const now = lines.join('\n');
    const front = readFrontMatter(now, path, { recover: true });
    if (front.kind === 'read') return now;
    // Some errors are seen only on the line behind the one that caused them.
    const at = (front.error.line ?? 1) - 1;
    if (!quoteLine(lines, at) && !quoteLine(lines, at - 1)) return text;
  }
  return text;
}

/** Puts the value of a top-level `key: value` line into quotes; false when there is none to quote. */
function quoteLine(lines: string[], at: number, only?: ReadonlySet<string>): boolean {
  const match = PLAIN_LINE.exec(lines[at] ?? '');
  const value = match?.[2] ?? '';
  const continued = /^[ \t]+\S/.test(lines[at + 1] ?? '');
  if (match === null || continued || !needsQuotes(value)) return false;
  const key = match[1] ?? '';
  if (only !== undefined && !only.has(key)) return false;
  // A list or map that is not closed is no text; only its author knows what it should be.
  if (/^[[{]/.test(value) && !PROSE.has(key)) return false;
  lines[at] = `${key}: ${JSON.stringify(value)}${match[3]}`;
  return true;
}

function frontMatterEnd(text: string, path: string): number {
  return readFrontMatter(text, path, { recover: true }).bodyOffset;
}

function needsQuotes(value: string): boolean {
  if (/^(["']).*\1$/.test(value)) return false;
  return /:(\s|$)|\s#/.test(value) || /^[[\]{}&*!|>%@`"'#,]|^[-?](\s|$)/.test(value);
}

/** Gives the skill the name of its directory, where that is a portable name. */
function renameToDirectory(text: string, path: string): string {
  const directory = basename(dirname(path));
  if (!PORTABLE_NAME.test(directory) || directory.length > 64) return text;
  const end = frontMatterEnd(text, path);
  const head = text.slice(0, end).replace(/^name:[^\r\n]*/m, `name: ${directory}`);
  const result = head + text.slice(end);
  const front = readFrontMatter(result, path);
  const name = front.kind === 'read' ? front.fields.get('name') : undefined;
  return name?.kind === 'text' && name.text === directory ? result : text;
}

function changedLines(before: string, after: string): string {
  const old = before.split('\n');
  return after
    .split('\n')
    .flatMap((line, at) => (line === old[at] ? [] : [`line ${at + 1} is now ${line.trim()}`]))
    .join('; ');
}
