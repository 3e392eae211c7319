// Runs something as a user whom a file's permissions bind: a test may itself run as root, who opens everything.
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const NOBODY = 65_534;
const ROOT = 0;

/** `dirs` are given to that user, with everything in them; a user who is not root already is one. */
export async function asNobody<T>(dirs: readonly string[], work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== ROOT || process.seteuid === undefined) return work();
  for (const dir of dirs) {
    for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), NOBODY, NOBODY);
    chownSync(dir, NOBODY, NOBODY);
    // A directory made for a test is closed to others.
    for (let above = dirname(dir); (statSync(above).mode & 0o011) !== 0o011; above = dirname(above))
      chmodSync(above, statSync(above).mode | 0o011);
  }
  process.seteuid(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid(ROOT);
  }
}
