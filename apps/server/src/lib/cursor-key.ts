// The key that seals cursors: from the configuration, or one made once and kept in the store, so that a cursor
// outlives a restart and fits every process that shares the store.
import { createHmac, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mac } from '@skillquay/core/cursor';

const FILE = 'cursor.key';
const KEY_BYTES = 32;

export async function cursorMac(configured: string | null, store: string): Promise<Mac> {
  const key = configured ?? (await keptKey(store));
  return (message) => createHmac('sha256', key).update(message).digest();
}

async function keptKey(store: string): Promise<string> {
  const path = join(store, FILE);
  await mkdir(store, { recursive: true });
  const kept = await readKey(path);
  if (kept !== null) return kept;
  // Written beside and renamed: another process reads a whole key or none.
  const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  await writeFile(draft, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600 });
  await rename(draft, path);
  return (await readKey(path)) ?? '';
}

/** null where there is no key, or none that could be one. */
async function readKey(path: string): Promise<string | null> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return /^[0-9a-f]{64}$/.test(text) ? text : null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
