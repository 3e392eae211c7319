// How much disk the shelves of all git registries of a user may take together, and one of them.
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whose bytes are over goes with what nobody has used for longest. */
const MAX_BYTES = 4 * 1024 ** 3;
/** No call takes so long: what nobody has touched since is in no use. */
export const IN_USE_MS = 3_600_000;
/** Packs, or loose objects as far as one of their 256 folders shows, after which a shelf is old. */
const MAX_PACKS = 50;
const MAX_LOOSE_SAMPLE = 27;
/** Bytes from which on a shelf is old when most of them came after the first fetch. */
const MAX_GROWN_BYTES = 512 * 1024 ** 2;

/** What a shelf is called that is being removed. */
const GOING = '.going';

export const SHELF_NAME = /^(sha\d+)-([1-9]\d{0,9})$/;

/** Whether it holds so much that it is better fetched anew. */
export async function isOld(shelf: string): Promise<boolean> {
  const sizes = await packSizes(shelf);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  if (sizes.length > MAX_PACKS || (bytes > MAX_GROWN_BYTES && bytes > 2 * Math.max(...sizes))) return true;
  return (await namesIn(join(shelf, 'objects/17'))).length > MAX_LOOSE_SAMPLE;
}

/** Removes shelves, the longest unused first, until those below `folder` fit; never one that may be in use. */
export async function boundShelves(folder: string): Promise<void> {
  const shelves: Array<{ readonly path: string; readonly bytes: number; readonly used: number }> = [];
  for (const key of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, key))) {
      const path = join(folder, key, name);
      if (name.endsWith(GOING)) await rm(path, { recursive: true, force: true }).catch(() => {});
      const facts = SHELF_NAME.test(name) ? await stat(path).catch(() => null) : null;
      if (facts === null) continue;
      const sizes = await packSizes(path);
      shelves.push({ path, bytes: sizes.reduce((sum, size) => sum + size, 0), used: facts.mtimeMs });
    }
  }
  let bytes = shelves.reduce((sum, shelf) => sum + shelf.bytes, 0);
  for (const shelf of shelves.sort((a, b) => a.used - b.used)) {
    if (bytes <= MAX_BYTES || Date.now() - shelf.used <= IN_USE_MS) return;
    // Out of sight at once: nobody begins with half of it.
    const going = `${shelf.path}${GOING}`;
    await rename(shelf.path, going).catch(() => {});
    await rm(going, { recursive: true, force: true }).catch(() => {});
    bytes -= shelf.bytes;
  }
}

async function packSizes(shelf: string): Promise<number[]> {
  const packs = join(shelf, 'objects/pack');
  const names = (await namesIn(packs)).filter((name) => name.endsWith('.pack'));
  return Promise.all(
    names.map((name) =>
      stat(join(packs, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
}

export async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
