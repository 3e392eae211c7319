// Node's fs with globSync, for a Node that has none. See hooks.mjs.
import fs from 'node:fs';

export * from 'node:fs';
export default fs;

export function globSync(pattern) {
  throw new Error(`fs.globSync(${JSON.stringify(pattern)}) needs Node 22`);
}
