// Files in parts, so that many are never in memory as a whole.

const BATCH_BYTES = 16 * 1024 ** 2;
/** What a file is taken to have where the listing does not say. */
const UNKNOWN_BYTES = 256 * 1024;

interface Sized {
  readonly size: number | null;
}

/** In their order; what is larger than a batch is one of its own. */
export function* batches<T extends Sized>(files: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  let bytes = 0;
  for (const file of files) {
    const size = file.size ?? UNKNOWN_BYTES;
    if (batch.length > 0 && bytes + size > BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
