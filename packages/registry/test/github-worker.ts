// A process that works on a registry on GitHub; it is told a GithubTarget as JSON.
import { githubHost, openGithubBackend } from '../src/github-backend.ts';
import type { GithubTarget } from './github-hosts.ts';
import { work } from './registry-worker.ts';

await work((target, cacheRoot) => {
  const { url, token, owner, repo }: GithubTarget = JSON.parse(target);
  return openGithubBackend(
    { kind: 'github', owner, repo, branch: null, dir: '' },
    { host: githubHost({ GITHUB_API_URL: url }), token: { token, from: 'GH_TOKEN' }, cacheRoot },
  );
});
