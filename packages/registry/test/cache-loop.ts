// Gets the skills of `versions.ts` into a cache, one version after the other, until it is killed. Arguments: the folder of
// the cache, the version to begin with, and how many to get (0: without end). Says each version it has been given.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openSkillCache } from '../src/skill-cache.ts';
import { version } from './versions.ts';

const [folder = '', first = '0', count = '0'] = process.argv.slice(2);
const { signal } = new AbortController();
const cache = openSkillCache(folder);

for (let i = 0; count === '0' || i < Number(count); i += 1) {
  const { tree, blobs } = version(Number(first) + i);
  await cache.get(
    tree,
    async (oids) => {
      appendFileSync(join(folder, '.fetches'), `${oids.length}\n`);
      await delay(1);
      return new Map(oids.map((oid) => [oid, blobs.get(oid) ?? Buffer.of()]));
    },
    { signal },
  );
  process.stdout.write(`${i}\n`);
}
