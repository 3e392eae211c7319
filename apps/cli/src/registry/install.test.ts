// A copy for an agent as a person at a terminal gets it, who is asked.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openCopies } from './copies.ts';
import { folderNameOf, install } from './install.ts';
import type { Io } from './io.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-install-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let home: string;
let cached: string;
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  cached = join(home, 'cached');
  mkdirSync(cached);
  writeFileSync(join(cached, 'SKILL.md'), '---\nname: a\ndescription: A\n---\nOne\n');
});

/** A person who answers as told. */
function person(answer: boolean) {
  const heard: string[] = [];
  const io: Io = {
    env: { HOME: home },
    cwd: home,
    call: { signal: new AbortController().signal },
    canAsk: true,
    columns: 80,
    say: (text) => heard.push(text),
    note: (text) => heard.push(text),
    doing() {},
    ask: async (question) => {
      heard.push(question);
      return answer;
    },
    confirm: async (question) => {
      heard.push(question);
      return answer;
    },
  };
  return { io, heard };
}

const skill = (tree = 't1') => ({ registry: 'o/r', slug: 'a', tree, path: cached });
const to = () => join(home, 'skills/a');
const main = () => join(to(), 'SKILL.md');
const put = (io: Io, tree?: string, careful = false) =>
  install(skill(tree), to(), ['claude'], { copies: openCopies(io.env), force: false, careful }, io);

it('modes and links arrive, and nobody is asked about a new one', async () => {
  const { io, heard } = person(false);
  writeFileSync(join(cached, 'run.sh'), '#!/bin/sh\n');
  chmodSync(join(cached, 'run.sh'), 0o700);
  symlinkSync('SKILL.md', join(cached, 'README.md'));
  expect(await put(io)).toMatchObject({ state: 'installed' });
  expect(statSync(join(to(), 'run.sh')).mode & 0o100).toBe(0o100);
  expect(readFileSync(join(to(), 'README.md'), 'utf8')).toContain('One');
  expect(await put(io)).toMatchObject({ state: 'current' });
  expect(heard).toEqual([]);
});

it('an untouched copy is replaced unasked, or when its user has seen what changes', async () => {
  const { io, heard } = person(false);
  await put(io);
  writeFileSync(join(cached, 'SKILL.md'), 'Two\n');
  expect(await put(io, 't2', true)).toMatchObject({ state: 'declined' });
  expect(heard).toEqual([expect.stringContaining('+Two'), `Update ${to()}?`]);
  expect(await put(io, 't2')).toMatchObject({ state: 'updated' });
  expect(readFileSync(main(), 'utf8')).toBe('Two\n');
});

it('a copy that was changed is replaced only when its user has seen the difference and agreed', async () => {
  await put(person(false).io);
  writeFileSync(main(), 'Mine\n');
  const no = person(false);
  expect(await put(no.io)).toMatchObject({ state: 'declined' });
  expect(no.heard).toEqual([
    expect.stringContaining('-Mine'),
    expect.stringContaining('changed on this machine'),
  ]);
  expect(readFileSync(main(), 'utf8')).toBe('Mine\n');
  expect(await put(person(true).io)).toMatchObject({ state: 'updated' });
  expect(readFileSync(main(), 'utf8')).toContain('One');
});

it('the copy of another skill of the same name is not replaced unasked', async () => {
  await put(person(false).io);
  writeFileSync(join(cached, 'SKILL.md'), 'Other\n');
  const { io, heard } = person(false);
  const options = { copies: openCopies(io.env), force: false };
  const other = { ...skill('t2'), slug: 'b' };
  expect(await install(other, to(), ['claude'], options, io)).toMatchObject({ state: 'declined' });
  expect(heard).toHaveLength(2);
  expect(readFileSync(main(), 'utf8')).toContain('One');
});

it('what tools left in a folder that the skill does not have stays', async () => {
  const { io } = person(true);
  await put(io);
  mkdirSync(join(to(), 'sub/node_modules'), { recursive: true });
  writeFileSync(join(to(), 'sub/node_modules/mine'), 'mine');
  writeFileSync(join(cached, 'SKILL.md'), 'Two\n');
  expect(await put(io, 't2')).toMatchObject({ state: 'updated' });
  expect(readFileSync(join(to(), 'sub/node_modules/mine'), 'utf8')).toBe('mine');
});

it('a copy is left as it was when what tools left there has no place any more', async () => {
  const { io } = person(true);
  await put(io);
  for (const folder of ['.hold', 'sub']) {
    mkdirSync(join(to(), folder, 'node_modules'), { recursive: true });
    writeFileSync(join(to(), folder, 'node_modules/mine'), 'mine');
  }
  writeFileSync(join(cached, 'sub'), 'a file now');
  await expect(put(io, 't2')).rejects.toThrow(/could not be written/);
  for (const folder of ['.hold', 'sub'])
    expect(readFileSync(join(to(), folder, 'node_modules/mine'), 'utf8')).toBe('mine');
  expect(existsSync(join(to(), 'SKILL.md'))).toBe(true);
  expect(readdirSync(join(home, 'skills'))).toEqual(['a']);
});

it('a file whose name is no text is a change like any other', async () => {
  const { io } = person(false);
  await put(io);
  writeFileSync(Buffer.concat([Buffer.from(`${to()}/`), Buffer.of(0xff)]), 'mine');
  expect(await put(io)).toMatchObject({ state: 'declined' });
});

it('a file where a folder should be is said, and left', async () => {
  writeFileSync(join(home, 'skills'), 'mine');
  await expect(put(person(true).io)).rejects.toMatchObject({ exitCode: 77 });
  expect(readFileSync(join(home, 'skills'), 'utf8')).toBe('mine');
});

it('a skill without a SKILL.md that is a file is refused', async () => {
  rmSync(join(cached, 'SKILL.md'));
  await expect(folderNameOf({ path: cached, slug: 'slug' })).rejects.toThrow(/`slug` has no SKILL\.md/);
});

it.each([
  ['a', 'a'],
  ['Auth Skill', 'Auth Skill'],
  ['../up', 'slug'],
  ['a/b', 'slug'],
  ['.hidden', 'slug'],
  ['CON', 'slug'],
])('a skill named "%s" lies in the folder "%s"', async (name, folder) => {
  writeFileSync(join(cached, 'SKILL.md'), `---\nname: ${JSON.stringify(name)}\ndescription: A\n---\n`);
  expect(await folderNameOf({ path: cached, slug: 'slug' })).toBe(folder);
});

it('a skill whose front matter nobody can read lies in the folder of its slug', async () => {
  writeFileSync(join(cached, 'SKILL.md'), 'no front matter');
  expect(await folderNameOf({ path: cached, slug: 'slug' })).toBe('slug');
});
