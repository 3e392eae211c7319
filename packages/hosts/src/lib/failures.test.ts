import { GitError } from '@skillquay/git/process';
import { expect, test } from 'vitest';
import { HostError } from '../host.ts';
import { hostFailure } from './failures.ts';

/** The code that is answered for what git printed. */
function codeOf(stderr: string): string {
  const failure = hostFailure(new GitError('failed', 'git failed', 128, stderr));
  return failure instanceof HostError ? failure.code : 'none';
}

/** Names that people give repositories, and words that git and hosts use for what went wrong. */
test.each(['redirect-tool', '429', 'sha256-tool', 'object-format', 'not-found', 'rate-limit', 'error-404'])(
  'a repository named %s is not what went wrong',
  (name) => {
    expect(
      codeOf(
        `fatal: unable to access 'https://example.com/acme/${name}/': Could not resolve host: example.com`,
      ),
    ).toBe('mount.unavailable');
    expect(codeOf(`fatal: unable to access 'https://example.com/acme/${name}/': SSL connect error`)).toBe(
      'mount.unavailable',
    );
    expect(
      codeOf(`ssh: connect to host example.com port 22: Connection refused\nfatal: '${name}' unreadable`),
    ).toBe('mount.unavailable');
    expect(codeOf(`warning: redirecting to https://example.com/acme/${name}/\nfatal: early EOF`)).toBe(
      'mount.unavailable',
    );
    expect(codeOf(`fatal: repository 'https://example.com/acme/${name}/' not found`)).toBe(
      'mount.repo_not_found',
    );
  },
);

test.each([
  ["fatal: unable to access 'https://h/a/': The requested URL returned error: 503", 'mount.unavailable'],
  ["fatal: unable to access 'https://h/a/': The requested URL returned error: 429", 'mount.rate_limited'],
  ['error: RPC failed; HTTP 429 curl 22 The requested URL returned error: 429', 'mount.rate_limited'],
  ['remote: API rate limit exceeded for 192.0.2.1', 'mount.rate_limited'],
  ["fatal: unable to access 'https://h/a/': The requested URL returned error: 403", 'mount.repo_not_found'],
  ["fatal: unable to access 'https://h/a/': The requested URL returned error: 301", 'mount.repo_not_found'],
  [
    'fatal: unable to update url base from redirection:\n  asked for: https://h/a/info/refs\n   redirect: https://h/b',
    'mount.repo_not_found',
  ],
  ["fatal: could not read Username for 'https://h': terminal prompts disabled", 'mount.repo_not_found'],
  ['remote: Repository not found.\nfatal: Could not read from remote repository.', 'mount.repo_not_found'],
  ['git@h: Permission denied (publickey).', 'mount.repo_not_found'],
  ["fatal: '/srv/a' does not appear to be a git repository", 'mount.repo_not_found'],
  ['fatal: remote error: upload-pack: not our ref 0123', 'mount.ref_not_found'],
  ['fatal: mismatched algorithms: client sha1; server sha256', 'mount.unsupported'],
  ["fatal: transport 'ext' not allowed", 'mount.unsupported'],
  ['Host key verification failed.', 'mount.unavailable'],
  ['', 'mount.unavailable'],
])('what git prints is understood: %s', (stderr, code) => {
  expect(codeOf(stderr)).toBe(code);
});
