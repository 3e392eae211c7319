// Publishing an installed copy: what it may take the place of, what is no change, and what is remembered of it.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Files, repository, type TestRepository } from '../../../test-support/repository.ts';
import { folder } from './command.ts';
import { type RegistryHome, registryHome, SKILL } from './registry-command.ts';

let remote: TestRepository;
let at: RegistryHome;
beforeEach(() => {
  remote = repository({ 'a/SKILL.md': SKILL('a') });
  at = registryHome(`file://${remote.dir}`);
});

const skills = () => join(at.home, '.claude/skills');
const copy = (slug = 'a') => join(skills(), slug);
const install = (slug = 'a') => at.run(['get', slug, '--agent', 'claude']);
const change = (text = 'Mine', slug = 'a', name = slug) =>
  writeFileSync(join(copy(slug), 'SKILL.md'), SKILL(name, text));
const there = (path = 'a/SKILL.md', branch = 'main') => remote.git('show', `${branch}:${path}`);
const tree = (branch = 'main') => remote.git('ls-tree', '-r', '--name-only', branch).split('\n');
const states = () => at.json(['status']).data.copies.map(({ state }: { state: string }) => state);
/** Both ways in which a copy is published. */
const WAYS = [
  ['publish', () => ['publish', copy()]],
  ['sync', () => ['sync', skills()]],
] as const;

describe('a copy of a skill with hidden files', () => {
  beforeEach(() => {
    remote.commit({ 'a/.mcp.json': '{}', 'a/.deep/x': 'x' });
    install();
  });

  it.each(WAYS)('that nobody touched is no change to %s', (_, args) => {
    const before = remote.git('rev-parse', 'main');
    const { code, data } = at.json([...args(), '--yes']);
    expect([code, data.kind ?? data.skills[0].kind]).toEqual([0, 'unchanged']);
    expect(at.run([...args(), '--yes']).out).toMatch(/unchanged/);
    expect(remote.git('rev-parse', 'main')).toBe(before);
  });

  it('is published without them, which is said first', () => {
    change();
    for (let file = 0; file < 12; file += 1) writeFileSync(join(copy(), `${file}.md`), 'x');
    const { code, out, err } = at.run(['publish', copy()]);
    expect([code, out]).toEqual([
      64,
      expect.stringMatching(/^ {2}- \.deep\/x \(not published.*\n {2}- \.mcp/),
    ]);
    expect(err).toContain('2 files of it that are not published from a folder');
    expect(at.run(['sync', skills()]).out).toContain('- .mcp.json (not published from a folder)');
    expect(tree()).toContain('a/.mcp.json');
  });
});

describe('a copy that cannot be compared', () => {
  beforeEach(() => {
    install();
    change();
    remote.commit({ 'a/SKILL.md': SKILL('a', 'New') });
    const cache = join(at.home, '.cache/skills-mcp/skills');
    rmSync(cache, { recursive: true });
    writeFileSync(cache, '');
  });

  it.each(WAYS)('is not published by %s unless forced, and why is said', (_, args) => {
    expect(states()).toEqual(['unreadable']);
    const { code, data } = at.json([...args(), '--yes']);
    expect(code).not.toBe(0);
    expect(data.error.message).toMatch(/could not be compared.*: .*ENOTDIR.*--force/s);
    expect(there()).toContain('New');
    expect(at.json(['publish', copy(), '--yes', '--force']).code).toBe(0);
    expect(there()).toContain('Mine');
  });
});

describe('an older copy is not published under another spelling of its name', () => {
  it.each([
    ['release-notes', 'ReleaseNotes'],
    ['My_Skill', 'my-skill'],
    ['My_Skill', 'My_Skill'],
  ])('%s as %s', (slug, name) => {
    remote.commit({ [`${slug}/SKILL.md`]: SKILL(slug) });
    install(slug);
    change('Mine', slug);
    remote.commit({ [`${slug}/SKILL.md`]: SKILL(slug, 'New') });
    const args = ['publish', copy(slug), '--name', name, '--yes'];
    expect(at.json(args)).toMatchObject({ code: 65, data: { error: { code: 'invalid' } } });
    remote.commit({ [`${slug}/SKILL.md`]: null });
    expect(at.json(args).data.error.message).toContain('was removed');
    expect(at.json([...args, '--force']).code).toBe(0);
    expect(states()).toEqual(['current']);
  });

  it('and is a skill of its own under a name of its own', () => {
    install();
    change();
    remote.commit({ 'a/SKILL.md': SKILL('a', 'New') });
    expect(at.json(['publish', copy(), '--name', 'Other']).data).toMatchObject({
      kind: 'published',
      slug: 'other',
    });
    expect(states()).toEqual(['diverged']);
  });
});

describe('a copy of one branch, published to another', () => {
  const on = (branch: string) => ({ SKILLS_REGISTRY: `file://${remote.dir}#${branch}` });
  const status = (branch: string) => at.json(['status'], on(branch)).data;
  const publish = (branch: string, ...more: string[]) =>
    at.json(['publish', copy(), '--yes', ...more], on(branch));
  beforeEach(() => {
    remote.commit({ 'b/SKILL.md': SKILL('b') }, { branch: 'dev', from: 'main' });
  });

  it('is one of that branch, and no older one of the first', () => {
    at.run(['get', 'a', '--agent', 'claude'], on('main'));
    for (const text of ['Mine', 'Mine again']) {
      change(text);
      expect(publish('dev').code).toBe(0);
      expect(there('a/SKILL.md', 'dev')).toContain(text);
    }
    expect(status('dev').copies).toMatchObject([{ state: 'current' }]);
    expect(status('main')).toMatchObject({ copies: [], others: 1 });
    expect(at.json(['update', '--yes'], on('main')).code).toBe(0);
    expect(readFileSync(join(copy(), 'SKILL.md'), 'utf8')).toContain('Mine again');
  });

  it.each(['main', ''])('takes the place of no version that it was not made from (of %s)', (branch) => {
    at.run(['get', 'a', '--agent', 'claude'], branch === '' ? {} : on(branch));
    remote.commit({ 'a/SKILL.md': SKILL('a', 'Theirs') }, { branch: 'dev' });
    expect(at.json(['sync', skills(), '--yes'], on('dev'))).toMatchObject({
      code: 0,
      data: {
        skills: [{ kind: 'left_out', reason: expect.stringMatching(/another version .* on branch "dev"/) }],
      },
    });
    change();
    expect(publish('dev')).toMatchObject({
      code: 65,
      data: { error: { message: expect.stringContaining('dev') } },
    });
    expect(there('a/SKILL.md', 'dev')).toContain('Theirs');
    expect(publish('dev', '--force').code).toBe(0);
  });

  it('is not remembered there for having been looked at', () => {
    install();
    change();
    remote.commit({ 'a/SKILL.md': SKILL('a', 'Mine') }, { branch: 'dev' });
    expect(status('dev').copies).toMatchObject([{ state: 'current' }]);
    expect(states()).toEqual(['changed']);
  });

  it('is new where there is no such skill, and never said to have been removed there', () => {
    remote.commit({ 'only/SKILL.md': SKILL('only') });
    at.run(['get', 'only', '--agent', 'claude'], on('main'));
    expect(at.json(['publish', copy('only')], on('dev')).data).toMatchObject({
      kind: 'published',
      slug: 'only',
    });
    remote.commit({ 'other/SKILL.md': SKILL('other') });
    install('other');
    const { code, data } = at.json(['publish', copy('other')], on('dev'));
    expect([code, data.error.message]).toEqual([65, expect.stringMatching(/not on branch "dev".*default/)]);
  });

  it('is forgotten only where its own branch is known to have it no more', () => {
    remote.commit({ 'only/SKILL.md': SKILL('only') });
    install('only');
    rmSync(copy('only'), { recursive: true });
    expect(status('dev').copies).toMatchObject([{ slug: 'only', state: 'missing' }]);
    expect(states()).toEqual(['missing']);
    remote.commit({ 'only/SKILL.md': null });
    expect(at.json(['status']).data).toMatchObject({
      copies: [],
      notes: [expect.stringMatching(/skills\/only has gone.*no longer listed/)],
    });
  });
});

describe('what is replaced is what was agreed to', () => {
  /** The push of one skill brings what somebody else commits at that moment. */
  const meanwhile = (files: Files) => {
    const next = remote.commit(files, { branch: 'theirs', from: 'main' });
    const path = join(remote.dir, 'hooks/post-receive');
    mkdirSync(join(path, '..'), { recursive: true });
    const blobs = Object.keys(files).map(
      (file) => `git update-index --add --cacheinfo "100644,$(git rev-parse ${next}:${file}),${file}"`,
    );
    writeFileSync(
      path,
      [
        '#!/bin/sh',
        'rm "$0"',
        'unset GIT_QUARANTINE_PATH',
        'export GIT_INDEX_FILE=theirs.index GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t',
        'git read-tree main',
        ...blobs,
        'git update-ref refs/heads/main "$(git commit-tree -p main -m theirs "$(git write-tree)")"',
      ].join('\n'),
    );
    chmodSync(path, 0o755);
  };
  const local = () =>
    folder({
      'a/SKILL.md': SKILL('a', 'Mine'),
      'b/SKILL.md': SKILL('b', 'Mine'),
      'c/SKILL.md': SKILL('c', 'Mine'),
    });

  it.each([
    ['replaced', { 'b/SKILL.md': SKILL('b') }],
    ['new', {}],
  ])('sync leaves a skill that was to be %s and is another one now, and goes on', (_, before) => {
    if (Object.keys(before).length > 0) remote.commit(before);
    meanwhile({ 'b/SKILL.md': SKILL('b', 'Theirs') });
    const { code, data } = at.json(['sync', local(), '--yes']);
    expect(data.skills).toMatchObject([
      { kind: 'published', slug: 'a' },
      { kind: 'failed', error: { code: 'conflict', message: expect.stringContaining('`b`') } },
      { kind: 'published', slug: 'c' },
    ]);
    expect([code, data.error.code]).toEqual([75, 'conflict']);
    expect(there('b/SKILL.md')).toContain('Theirs');
  });

  it('and one that has become what is published is no trouble', () => {
    remote.commit({ 'b/SKILL.md': SKILL('b') });
    meanwhile({ 'b/SKILL.md': SKILL('b', 'Mine') });
    expect(at.json(['sync', local(), '--yes'])).toMatchObject({
      code: 0,
      data: { skills: [{ kind: 'published' }, { kind: 'unchanged' }, { kind: 'published' }] },
    });
  });
});

describe('a command that is suggested', () => {
  /** What a shell takes the command for, in a folder that nothing is to appear in. */
  const argv = (command: string) => {
    const cwd = folder({});
    const script = `skillquay() { printf '%s\\n' "$@"; }; ${command}`;
    const { stdout } = spawnSync('sh', ['-c', script], { cwd, encoding: 'utf8' });
    return [stdout.trimEnd().split('\n'), readdirSync(cwd)];
  };

  it('is one for a shell, whatever skill and copy are called', () => {
    const [slug, name] = ['odd $(touch pwned)', "it's x$(touch pwned)"];
    remote.commit({ [`${slug}/SKILL.md`]: SKILL(name) });
    install(slug);
    remote.commit({ [`${slug}/SKILL.md`]: SKILL(name, 'New') });
    const message: string = at.json(['publish', copy(name)]).data.error.message;
    const [update = '', publish = ''] = message.match(/(?<=`)skillquay [^`]+(?=`)/g) ?? [];
    expect(argv(update)).toEqual([['registry', 'update', slug], []]);
    expect(argv(publish)).toEqual([['registry', 'publish', copy(name), '--force'], []]);
  });

  it('is plain where everything is', () => {
    install();
    remote.commit({ 'a/SKILL.md': SKILL('a', 'New') });
    expect(at.json(['publish', copy()]).data.error.message).toContain(
      `\`skillquay registry publish ${copy()} --force\``,
    );
  });
});
