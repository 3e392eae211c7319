// A process that does nothing but build and publish indexes, for a test that kills it: `<store> <git dir> <tree>`.
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { buildToFile } from '../src/build-thread.ts';
import { openStore } from '../src/store.ts';

const [directory = '', gitDir = '', tree = ''] = process.argv.slice(2);
const store = await openStore({ directory, maxBytes: 1e9 });
for (let i = 0; ; i += 1) {
  const identity = { repository: 'gh/acme/library', commit: `c${i % 3}`, rules: '1-x' };
  const draft = store.draft(identity);
  await buildToFile({
    identity,
    git: { gitDir, env: {} },
    tree,
    limits: DEFAULT_LIMITS,
    serving: 'licensed',
    previousFile: await store.previousFile(identity),
    resultFile: draft.path,
    workers: 0,
    workerUrl: null,
  });
  await draft.publish();
  process.stdout.write('built\n');
}
