// Makes a repository on GitHub for a registry. Source: GitHub docs, REST API, "Create a repository for the authenticated
// user" and "Create an organization repository".
import type { CallOptions } from '../backend.ts';
import { RegistryError } from '../errors.ts';
import type { GithubRegistry } from '../registry-name.ts';
import { isOfEmpty } from './github-answers.ts';
import type { GithubClient } from './github-client.ts';

export interface NewRepository {
  /** Whose credential it is; null where nobody says. */
  readonly account: string | null;
  readonly isPublic: boolean;
}

/**
 * It has no commit: the first one that is published is the first one there is. One that was made in the meantime, and is
 * as empty, will do. Throws RegistryError.
 */
export async function createRepository(
  client: GithubClient,
  { owner, repo }: GithubRegistry,
  { account, isPublic }: NewRepository,
  options: CallOptions,
): Promise<void> {
  const isOwn = account !== null && account.toLowerCase() === owner.toLowerCase();
  const answer = await client.ask(
    {
      method: 'POST',
      path: isOwn ? '/user/repos' : `/orgs/${encodeURIComponent(owner)}/repos`,
      body: { name: repo, description: 'Agent skills', private: !isPublic, auto_init: false },
      expect: [403, 404, 422],
    },
    options,
  );
  if (answer.status < 300) return;
  // The answer to an attempt before this one may have been lost.
  if (answer.status === 422 && (await isEmpty(client, { owner, repo }, options))) return;
  const why =
    answer.status === 404
      ? `there is no organization \`${owner}\` that ${account ?? 'your credential'} may create repositories in`
      : answer.reason;
  throw new RegistryError(
    'denied',
    `${owner}/${repo} could not be created: ${why.replace(/\.$/, '')}. Create it on the host, then run this again.`,
  );
}

async function isEmpty(
  client: GithubClient,
  { owner, repo }: Pick<GithubRegistry, 'owner' | 'repo'>,
  options: CallOptions,
): Promise<boolean> {
  const path = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/commits/HEAD?per_page=1`;
  const answer = await client.ask({ method: 'GET', path, expect: [403, 404, 409, 422] }, options);
  return isOfEmpty(answer);
}
