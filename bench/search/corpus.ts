// The skills of a real repository as documents to search, read with the user's git.

import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';

export interface CorpusDocument {
  readonly path: string;
  /** The number of the SKILL.md it belongs to, -1 = none, or a copy of an earlier one. */
  readonly group: number;
  readonly name: string;
  readonly description: string;
  readonly details: string;
  readonly body: Buffer;
}

export interface CorpusFile {
  readonly path: string;
  readonly object: string;
  readonly group: number;
}

const SKILL_FILE = /(?:^|\/)SKILL\.md$/i;
const TEXT_FILE = /\.(?:md|json|txt|ya?ml|toml|py|js|ts|sh)$/i;
const MAX_INDEXED_BYTES = 256 * 1024;

/** The text files of the repository's HEAD in path order, each under the skill whose folder it lies in. */
export async function listFiles(gitDirectory: string): Promise<CorpusFile[]> {
  const listing = Buffer.concat(await git(gitDirectory, ['ls-tree', '-r', '-z', 'HEAD']).collect());
  const entries = listing
    .toString('utf8')
    .split('\0')
    .filter((line) => line.startsWith('100'))
    .map((line) => ({ object: line.slice(12, line.indexOf('\t')), path: line.slice(line.indexOf('\t') + 1) }))
    .filter(({ path }) => TEXT_FILE.test(path));

  const groups = new Map<string, number>();
  const seen = new Set<string>();
  for (const [id, { path, object }] of entries.entries()) {
    if (!SKILL_FILE.test(path)) continue;
    groups.set(folderOf(path), seen.has(object) ? -1 : id);
    seen.add(object);
  }
  return entries.map(({ path, object }) => ({ path, object, group: owner(path, groups) }));
}

/** Reads the files, in order. */
export async function* readFiles(
  gitDirectory: string,
  files: readonly CorpusFile[],
): AsyncGenerator<CorpusDocument> {
  const process = git(gitDirectory, ['cat-file', '--batch', '--buffer']);
  process.send(files.map(({ object }) => `${object}\n`).join(''));
  const objects = process.objects();
  for (const { path, group } of files) {
    const { value: bytes } = await objects.next();
    if (bytes === undefined) throw new Error(`git did not give ${path}`);
    yield { path, group, ...fields(path, bytes.subarray(0, MAX_INDEXED_BYTES)) };
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function owner(path: string, groups: ReadonlyMap<string, number>): number {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const group = groups.get(folder);
    if (group !== undefined) return group;
    if (folder === '') return -1;
  }
}

function fields(path: string, bytes: Buffer): Omit<CorpusDocument, 'path' | 'group'> {
  const bare = { name: '', description: '', details: path, body: bytes };
  if (!SKILL_FILE.test(path) || bytes.subarray(0, 3).toString() !== '---') return bare;
  const end = bytes.indexOf('\n---', 3);
  if (end < 0) return bare;
  const head = bytes.subarray(3, end).toString('utf8');
  return {
    name: field(head, 'name'),
    description: field(head, 'description'),
    details: path,
    body: bytes.subarray(end + 4),
  };
}

/** A front-matter field, near enough for a benchmark: one line, or a block below it. */
function field(head: string, name: string): string {
  const match = new RegExp(`^${name}:[ \\t]*(?:[|>][-+]?[ \\t]*\\r?\\n)?(.*(?:\\r?\\n[ \\t]+.*)*)`, 'm').exec(
    head,
  );
  return (match?.[1] ?? '')
    .replace(/\s+/g, ' ')
    .replace(/^["']|["']$/g, '')
    .trim();
}

function git(gitDirectory: string, args: readonly string[]) {
  const child = spawn('git', [`--git-dir=${gitDirectory}`, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  return {
    send: (text: string) => child.stdin.end(text),
    collect: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of child.stdout) chunks.push(chunk);
      return chunks;
    },
    /** The objects of a `cat-file --batch`. */
    async *objects(): AsyncGenerator<Buffer> {
      let pending: Buffer[] = [];
      let size = 0;
      let needed = 0;
      let header = -1;
      for await (const chunk of child.stdout) {
        pending.push(chunk);
        size += chunk.length;
        if (size < needed) continue;
        let bytes = Buffer.concat(pending);
        for (;;) {
          if (header < 0) {
            const end = bytes.indexOf(10);
            if (end < 0) break;
            header = Number(bytes.subarray(0, end).toString('latin1').split(' ')[2]);
            bytes = bytes.subarray(end + 1);
          }
          if (bytes.length < header + 1) break;
          yield bytes.subarray(0, header);
          bytes = bytes.subarray(header + 1);
          header = -1;
        }
        pending = [bytes];
        size = bytes.length;
        needed = header + 1;
      }
    },
  };
}
