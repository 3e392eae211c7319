// Where the bundled build worker lies: beside the bundled command, also when this runs from source.
import { existsSync } from 'node:fs';

export function buildWorkerUrl(): URL {
  const beside = new URL('./build-worker.js', import.meta.url);
  return existsSync(beside) ? beside : new URL('../dist/build-worker.js', import.meta.url);
}
