import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'skillquay-make-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('makeFolder', () => {
  it('makes a folder and those above it, many at once', async () => {
    const path = join(root, 'a/b/c');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(path, 0o700)));
    expect([path, join(root, 'a')].map((made) => statSync(made).mode & 0o777)).toEqual([0o700, 0o700]);
    // Those of different depth find each other's folders made between two of their own steps.
    for (let turn = 0; turn < 50; turn += 1)
      await Promise.all(['p', 'p/q', 'p/q/r', 'p/q/r'].map((at) => makeFolder(join(root, `${turn}`, at))));
    await makeFolder(path, 0o755);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('makes folders that lie side by side in one that is missing, many at once', async () => {
    const paths = Array.from({ length: 100 }, (_, i) => join(root, 'missing', `${i >> 3}`, `${i}`));
    const made: Promise<void>[] = [];
    for (const path of paths) {
      made.push(makeFolder(path));
      await new Promise(setImmediate);
    }
    await Promise.all(made);
    expect(paths.every((path) => existsSync(path))).toBe(true);
  });

  it('says what stands in the way', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(makeFolder(join(root, 'file/x/y'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it.runIf(existsSync('/proc/self'))('comes to an end where no folder can be made', async () => {
    await expect(makeFolder('/proc/x')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(makeFolder('/proc/x/y/z')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
