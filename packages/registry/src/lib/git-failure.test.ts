import { GitError } from '@skillquay/git/process';
import { expect, test } from 'vitest';
import { gitFailure, isPassing } from './git-failure.ts';

const CONTEXT = { name: 'acme/skills', asked: 'example.com', given: false, taken: null, secrets: ['s3cr3t'] };
const LOST =
  'fatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights';

/** What git 2.39 and the hosts print. */
test.each([
  ['no ssh', `error: cannot run /x/ssh: No such file or directory\nfatal: unable to fork`, 'unreachable'],
  [
    'no key, and nobody listens',
    `no such identity: /home/ann/.ssh/key: No such file or directory\nssh: connect to host example.com port 22: Connection refused\n${LOST}`,
    'unreachable',
  ],
  [
    'no host of this name over SSH',
    `ssh: Could not resolve hostname example.com: Name or service not known\n${LOST}`,
    'unreachable',
  ],
  [
    'no host of this name over HTTPS',
    "fatal: unable to access 'https://example.com/not found/x.git/': Could not resolve host: example.com",
    'unreachable',
  ],
  [
    'no certificate',
    "fatal: unable to access 'https://example.com/x.git/': server certificate verification failed. CAfile: none CRLfile: none",
    'unreachable',
  ],
  [
    'words of a host that say nothing of the repository',
    `remote: your home does not exist\n${LOST}`,
    'unreachable',
  ],
  ['a folder', `fatal: '/srv/x.git' does not appear to be a git repository\n${LOST}`, 'not_found'],
  ['HTTPS', "remote: Not found.\nfatal: repository 'https://example.com/x.git/' not found", 'not_found'],
  [
    'HTTPS, gone',
    "fatal: unable to access 'https://example.com/x.git/': The requested URL returned error: 410",
    'not_found',
  ],
  ['SSH at GitHub', `ERROR: Repository not found.\n${LOST}`, 'not_found'],
  [
    'SSH at GitLab',
    `remote: \nremote: ========\nremote: ERROR: The project you were looking for could not be found or you don't have permission to view it.\nremote: \n${LOST}`,
    'not_found',
  ],
  ['SSH at Bitbucket', `conq: repository does not exist.\n${LOST}`, 'not_found'],
  [
    'too large a push',
    'error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nsend-pack: unexpected disconnect while reading sideband packet\nfatal: the remote end hung up unexpectedly',
    'refused',
  ],
  [
    'another status',
    'error: RPC failed; HTTP 411 curl 22 The requested URL returned error: 411\nfatal: the remote end hung up unexpectedly',
    'refused',
  ],
  [
    'a pause',
    "fatal: unable to access 'https://example.com/x.git/': The requested URL returned error: 429",
    'rate_limited',
  ],
])('what git prints of %s', (_, stderr, code) => {
  expect(gitFailure(new GitError('failed', 'git failed', 128, stderr), CONTEXT)).toMatchObject({ code });
});

/** The network has no part in these. */
test.each([
  [
    `fatal: detected dubious ownership in repository at '/srv/x.git'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /srv/x.git\n${LOST}`,
    'denied',
    /another user.*safe\.directory/,
  ],
  [
    'fatal: bad config line 1 in file /home/ann/.gitconfig',
    'config',
    /line 1 in file \/home\/ann\/\.gitconfig/,
  ],
  ["fatal: bad boolean config value 'x' for 'core.bare'", 'config', /Git says: bad boolean/],
  ['error: empty filename in tree entry\nfatal: index-pack failed', 'bad_data', /is damaged.*git fsck/],
  [
    `fatal: missing blob object '${'0'.repeat(40)}'\nerror: remote did not send all necessary objects`,
    'bad_data',
    /damaged/,
  ],
  [
    "fatal: unable to access 'https://example.com/x.git/': The requested URL returned error: 302",
    'refused',
    /at another place/,
  ],
  [
    "warning: x\nfatal: unable to access 'https://ann:s3cr3t@example.com/x.git/': something\x1b[31m s3cr3t new\nfatal: early EOF",
    'unreachable',
    /Git says: unable to access 'https:\/\/example\.com\/x\.git\/': something \*\*\* new\.$/,
  ],
  [`fatal: ${'x'.repeat(5_000)}`, 'unreachable', /^.{0,400}$/],
])('trouble %# of this machine or the repository is told for what it is', (stderr, code, message) => {
  const failed = gitFailure(new GitError('failed', 'git failed', 128, stderr), CONTEXT);
  expect(failed).toMatchObject({ code, message: expect.stringMatching(message) });
  expect(failed).not.toMatchObject({ message: expect.stringMatching(/network|s3cr3t/) });
});

test.each([
  ["fatal: unable to access 'https://h/x.git/': The requested URL returned error: 503", true],
  ["fatal: unable to access 'https://h/x.git/': Could not resolve host: h", true],
  ["fatal: unable to access 'https://h/x.git/': Failed to connect to h port 443 after 9 ms", true],
  ['ssh: connect to host h port 22: Connection timed out', true],
  ['error: RPC failed; HTTP 502 curl 22 The requested URL returned error: 502', true],
  ['error: RPC failed; curl 56 Recv failure: Connection reset by peer', true],
  ['error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413', false],
  ['error: RPC failed; HTTP 411 curl 22 The requested URL returned error: 411', false],
  ["fatal: unable to access 'https://h/x.git/': The requested URL returned error: 429", false],
  [
    "fatal: the receiving end does not support this repository's hash algorithm\nfatal: the remote end hung up unexpectedly",
    false,
  ],
  ["fatal: '/Connection reset' does not appear to be a git repository", false],
])('%s is tried again: %s', (stderr, passes) => {
  expect(isPassing(new GitError('failed', 'git failed', 128, stderr))).toBe(passes);
});
