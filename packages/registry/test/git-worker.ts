// A process that works on a registry in a git repository; it is told the URL.
import { openGitBackend } from '../src/git-backend.ts';
import { parseRegistry } from '../src/registry-name.ts';
import { work } from './registry-worker.ts';

await work((target, cacheRoot) => {
  const name = parseRegistry(target);
  if (name.kind !== 'git') throw new Error(`${target} is no git URL`);
  return openGitBackend(name, { cacheRoot });
});
