// The key that seals cursors: from the configuration, or one made once and kept in the store, so that a cursor
// outlives a restart and fits every process that shares the store.
import { createHmac, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mac } from '@skillquay/core/cursor';
import { makePrivateFolder } from '@skillquay/git/private-folder';

const FILE = 'cursor.key';
const KEY_BYTES = 32;

export async function cursorMac(configured: string | null, store: string): Promise<Mac> {
  const key = configured ?? (await keptKey(store));
  return (message) => createHmac('sha256', key).update(message).digest();
}

/** Throws when the store has no key and none can be put there: cursors of one key for all would seal nothing. */
async function keptKey(store: string): Promise<string> {
  await makePrivateFolder(store);
  const path = join(store, FILE);
  const kept = await readKey(path);
  if (kept !== null) return kept;
  // Whole before it has its name, and the name is given once: processes that start together read the same.
  const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(draft, randomBytes(KEY_BYTES).toString('hex'), { mode: 0o600, flush: true });
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const made = await readKey(path);
  if (made === null) throw new Error(`${path} was removed while it was made.`);
  return made;
}

/** null where there is no file. Throws for one that holds something else. */
async function readKey(path: string): Promise<string | null> {
  let text: string;
  try {
    text = (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
  if (/^[0-9a-f]{64}$/.test(text)) return text;
  throw new Error(`${path} holds no key. Remove it, and a new one is made.`);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
