// A directory for what one run must keep and nobody else may see: gone when the run is over, however it ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alive } from '@skillquay/git/process-alive';
import { onInterrupt } from './stop-signal.ts';

const NAME = /^skillquay-private-(\d+)-/;

/** Gives `work` a new directory that this user alone can read, and removes it with those of runs that were killed. */
export async function inPrivateDirectory<T>(work: (dir: string) => Promise<T>): Promise<T> {
  await sweep();
  // At once with what removes it: a signal must not come between the two.
  const dir = mkdtempSync(join(tmpdir(), `skillquay-private-${process.pid}-`));
  const forget = onInterrupt(() => rmSync(dir, { recursive: true, force: true }));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
    forget();
  }
}

async function sweep(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const pid = Number(NAME.exec(name)?.[1] ?? process.pid);
    // Those of another user cannot be removed, and are theirs to remove.
    if (pid !== process.pid && !alive(pid))
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}
