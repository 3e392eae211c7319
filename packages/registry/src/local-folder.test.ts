import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type LocalLimits, readLocalFolder } from './local-folder.ts';

const home = mkdtempSync(join(tmpdir(), 'skillquay-local-'));
afterAll(() => rmSync(home, { recursive: true }));
const folder = join(home, 'skill');
const secret = join(home, 'secret');
beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  mkdirSync(secret, { recursive: true });
  writeFileSync(join(secret, 'key'), 'SECRET');
});

function write(path: string, content: string | Uint8Array = path): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

const LIMITS: LocalLimits = { fileBytes: 1_000, allBytes: 10_000, files: 100 };
const options = { signal: new AbortController().signal, home };
const read = (given = folder, limits = LIMITS) => readLocalFolder(given, limits, options);
const paths = async () => (await read()).files.map(({ path }) => path);

it('every regular file is read as it is, with whether it can be run', async () => {
  write('SKILL.md', 'a\r\nb');
  write('scripts/run.sh', '#!');
  chmodSync(join(folder, 'scripts/run.sh'), 0o755);
  write('data/bytes', Uint8Array.of(0, 255));
  write('data/empty', '');
  write('Größe ü/日本 .md', 'x');
  const { files, cut } = await read();
  expect(cut).toBe(false);
  expect(files.map(({ path, mode, size }) => [path, mode, size])).toEqual([
    ['Größe ü/日本 .md', '100644', 1],
    ['SKILL.md', '100644', 4],
    ['data/bytes', '100644', 2],
    ['data/empty', '100644', 0],
    ['scripts/run.sh', '100755', 2],
  ]);
  expect(Buffer.from(files[1]?.bytes ?? []).toString()).toBe('a\r\nb');
  expect([...(files[2]?.bytes ?? [])]).toEqual([0, 255]);
});

it('names that begin with a dot, and what tools leave behind, are passed over', async () => {
  for (const path of ['.git/config', '.DS_Store', 'a/.env', 'node_modules/x/y', 'a/__pycache__/z', 'a/b'])
    write(path);
  expect(await paths()).toEqual(['a/b']);
});

it('a folder is named from the root, or from home by a tilde', async () => {
  write('a');
  for (const given of ['~/skill', `${folder}/`, join(folder, '..', 'skill'), `${home}/./skill`])
    expect((await read(given)).files).toHaveLength(1);
  for (const given of ['skill', './skill', '~root/skill', '', 'a\0b'])
    await expect(read(given)).rejects.toThrow(/is not absolute/);
});

it('folders that lie deeper than those of any skill are refused by name', async () => {
  write(`${'d/'.repeat(64)}x`);
  expect((await read()).files).toHaveLength(1);
  write(`${'d/'.repeat(65)}x`);
  await expect(read()).rejects.toThrow(/^Folder '(d\/)+d' lies more than 64 folders deep/);
});

it('of a folder of very many names no more is looked at than a skill can have', async () => {
  for (let i = 0; i < 400; i += 1) write(`.hidden-${i}`);
  for (let i = 0; i < 4; i += 1) write(`f${i}`);
  const few = { ...LIMITS, files: 4 };
  expect(await read(folder, few)).toMatchObject({ cut: false, files: { length: 4 } });
  for (let i = 0; i < 10; i += 1) write(`d${i}/.x`);
  expect((await read(folder, few)).cut).toBe(true);
});

it('what is no folder is named', async () => {
  write('a');
  await expect(read(join(home, 'none'))).rejects.toThrow(/none' does not exist/);
  await expect(read(join(folder, 'a', 'b'))).rejects.toThrow(/does not exist/);
  await expect(read(join(folder, 'a'))).rejects.toThrow(/is not a folder/);
});

describe('a link is never followed:', () => {
  it('it is read as its target, to a file and to a folder, and when it leads nowhere', async () => {
    write('a/b');
    symlinkSync('a/b', join(folder, 'l1'));
    symlinkSync(secret, join(folder, 'l2'));
    symlinkSync('nowhere', join(folder, 'l3'));
    const { files } = await read();
    expect(files.map(({ path, mode, bytes }) => [path, mode, Buffer.from(bytes ?? []).toString()])).toEqual([
      ['a/b', '100644', 'a/b'],
      ['l1', '120000', 'a/b'],
      ['l2', '120000', secret],
      ['l3', '120000', 'nowhere'],
    ]);
  });

  it('the folder itself may not be one, however it is written', async () => {
    symlinkSync(secret, join(home, 'link'));
    for (const given of [join(home, 'link'), `${home}/link/`, `${home}/link/.`, '~/link'])
      await expect(read(given)).rejects.toThrow(/is itself a link/);
    rmSync(join(home, 'link'));
  });

  it('nor when it stands where a file or a folder was a moment ago', async () => {
    const swap = `
      const { renameSync, symlinkSync, mkdirSync, writeFileSync } = require('node:fs');
      const { join } = require('node:path');
      const [folder, secret] = process.argv.slice(1);
      symlinkSync(join(secret, 'key'), join(folder, '.file'));
      symlinkSync(secret, join(folder, '.folder'));
      process.stdout.write('ready');
      const turn = (name, link) => {
        renameSync(join(folder, name), join(folder, '.aside'));
        renameSync(join(folder, link), join(folder, name));
        renameSync(join(folder, name), join(folder, link));
        renameSync(join(folder, '.aside'), join(folder, name));
      };
      for (const end = Date.now() + 60_000; Date.now() < end; ) {
        turn('key', '.file');
        turn('sub', '.folder');
      }`;
    write('key', 'mine');
    write('sub/key', 'mine');
    const swapper = spawn(process.execPath, ['-e', swap, folder, secret], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(swapper.stdout, 'data');
    const seen = new Set<string>();
    for (let i = 0; i < 300; i += 1) {
      const found = await read().catch(() => null);
      for (const { mode, bytes } of found?.files ?? [])
        if (mode !== '120000') seen.add(Buffer.from(bytes ?? []).toString());
    }
    swapper.kill('SIGKILL');
    await once(swapper, 'close');
    expect([...seen]).toEqual(['mine']);
  });
});

it('a pipe is not waited for, and a socket is no file', async () => {
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await expect(read()).rejects.toThrow(/'pipe' is neither a file nor a folder/);
  rmSync(join(folder, 'pipe'));
  const server = createServer().listen(join(folder, 'socket'));
  await once(server, 'listening');
  await expect(read()).rejects.toThrow(/'socket' is neither/);
  server.close();
  await once(server, 'close');
  execFileSync('mkfifo', [join(home, 'pipe')]);
  await expect(read(join(home, 'pipe'))).rejects.toThrow(/is not a folder/);
});

it('a name that is no UTF-8 is refused', async () => {
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/a`), Buffer.of(0xff)]), 'x');
  await expect(read()).rejects.toThrow(/is not UTF-8/);
});

describe('of what is too much', () => {
  it('the size of a file is told and its bytes are not read', async () => {
    write('exact', 'x'.repeat(1_000));
    write('sparse', '');
    truncateSync(join(folder, 'sparse'), 2 ** 40);
    const { files } = await read();
    expect(files.map(({ size, bytes }) => [size, bytes?.length])).toEqual([
      [1_000, 1_000],
      [2 ** 40, undefined],
    ]);
  });

  it('no more bytes are read than all files may have', async () => {
    for (const name of ['a', 'b', 'c']) write(name, 'x'.repeat(1_000));
    const { files } = await read(folder, { ...LIMITS, allBytes: 2_500 });
    expect(files.map(({ size, bytes }) => [size, bytes?.length])).toEqual([
      [1_000, 1_000],
      [1_000, 1_000],
      [1_000, undefined],
    ]);
  });

  it('no more files are looked at than there may be, those of the folder itself first', async () => {
    for (let i = 0; i < 4; i += 1) write(`a/${i}`);
    write('z');
    const few = { ...LIMITS, files: 3 };
    const { files, cut } = await read(folder, few);
    expect([files.map(({ path }) => path), cut]).toEqual([['a/0', 'a/1', 'z'], true]);
    rmSync(join(folder, 'a/3'));
    rmSync(join(folder, 'a/2'));
    expect((await read(folder, few)).cut).toBe(false);
    for (const name of ['b', 'c', 'd']) mkdirSync(join(folder, name));
    expect((await read(folder, few)).cut).toBe(true);
  });
});

it('reading ends with the call', async () => {
  write('a');
  const signal = AbortSignal.abort();
  await expect(readLocalFolder(folder, LIMITS, { signal, home })).rejects.toThrow(/abort/i);
});
