import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';
import { envExample } from './config-variables.ts';

const unreadable = (): string => {
  throw new Error('ENOENT');
};

function problemsOf(env: Record<string, string>): readonly string[] {
  const reading = readConfig(env, unreadable);
  return reading.ok ? [] : reading.problems;
}

describe('configuration', () => {
  it('needs nothing', () => {
    const reading = readConfig({}, unreadable);
    expect(reading.ok && reading.config).toMatchObject({
      host: '127.0.0.1',
      port: 4747,
      indexWaitMs: 10_000,
      refTtlSeconds: 60,
      maxBodyBytes: 1_048_576,
      hosts: { gh: 'https://github.com', gl: 'https://gitlab.com', cb: 'https://codeberg.org' },
      cursorKey: null,
    });
  });

  it('takes what is set', () => {
    const reading = readConfig(
      {
        PORT: '0',
        PUBLIC_ORIGIN: 'https://Skills.example.com/',
        ALLOWED_HOSTS: 'a.example, b.example',
        VERIFIED: 'gh/acme/library gl/group~team/recipes',
        READ_MAX_FILE_BYTES: '2048',
        GH_URL: 'http://127.0.0.1:9000/git/',
        INDEX_CONCURRENCY: '0',
      },
      unreadable,
    );
    expect(reading.ok && reading.config).toMatchObject({
      port: 0,
      publicOrigin: 'https://skills.example.com',
      allowedHosts: ['a.example', 'b.example'],
      verified: ['gh/acme/library', 'gl/group~team/recipes'],
      limits: { readFileBytes: 2048, manifests: 1000 },
      hosts: { gh: 'http://127.0.0.1:9000/git' },
      indexConcurrency: 0,
    });
  });

  it('lists every problem at once, by variable and rule', () => {
    const problems = problemsOf({
      PORT: '70000',
      INDEX_WAIT_MS: 'soon',
      LOG_LEVEL: 'loud',
      GH_URL: 'ssh://x',
    });
    expect(problems).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'INDEX_WAIT_MS must be a whole number from 0 to 60000',
      'GH_URL must be an http:// or https:// URL without user name, password, query or fragment',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    ]);
  });

  it('never shows a value', () => {
    const value = 'hunter2-not-long';
    const problems = problemsOf({
      CURSOR_KEY: value,
      PORT: value,
      PUBLIC_ORIGIN: `https://user:${value}@example.com`,
      VERIFIED: value,
      SNAPSHOT_STORE: `s3://${value}`,
    });
    expect(problems).toHaveLength(5);
    expect(problems.join('\n')).not.toContain(value);
  });

  it('reads a secret from the file that NAME_FILE names', () => {
    const key = 'k'.repeat(40);
    const reading = readConfig({ CURSOR_KEY_FILE: '/run/secrets/cursor' }, (path) =>
      path === '/run/secrets/cursor' ? `${key}\n` : unreadable(),
    );
    expect(reading.ok && reading.config.cursorKey).toBe(key);
    expect(problemsOf({ CURSOR_KEY_FILE: '/nowhere' })).toEqual([
      'CURSOR_KEY_FILE must name a file that can be read',
    ]);
    expect(problemsOf({ CURSOR_KEY_FILE: '/nowhere', CURSOR_KEY: key })).toEqual([
      'CURSOR_KEY and CURSOR_KEY_FILE are both set: set one of them',
    ]);
  });

  it('counts an empty variable as not set', () => {
    expect(problemsOf({ PORT: '', CURSOR_KEY: '', CURSOR_KEY_FILE: '' })).toEqual([]);
  });

  it('is what .env.example shows (after a change: npx vitest run apps/server/src/config.test.ts -u)', async () => {
    await expect(envExample()).toMatchFileSnapshot('../../../.env.example');
  });
});
