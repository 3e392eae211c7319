// What `publish`, `add` and `sync` put into a registry, and what they say of the rest.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { gitServer } from '../../../test-support/git-http.ts';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { folder } from './command.ts';
import { type RegistryHome, registryHome, SKILL } from './registry-command.ts';

const LOOSE = '---\nname: loose\ndescription: Use when: always\n---\nBody\n';
const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12345\n`;

let remote: TestRepository;
let at: RegistryHome;
beforeEach(() => {
  remote = repository({ 'auth-skill/SKILL.md': SKILL('auth-skill') });
  at = registryHome(`file://${remote.dir}`);
});

const tree = () => remote.git('ls-tree', '-r', '--name-only', 'main').split('\n');
const kinds = (data: { skills: { place: string; kind: string }[] }) =>
  data.skills.map(({ place, kind }) => `${kind} ${place}`);

describe('a skill that is there', () => {
  it('is replaced by publish only when somebody agreed', () => {
    const dir = folder({ 'SKILL.md': SKILL('auth-skill', 'Other'), 'more.md': 'x' });
    const before = remote.git('rev-parse', 'main');
    const { code, data } = at.json(['publish', dir]);
    expect([code, data.error.code]).toEqual([64, 'usage']);
    expect(data.error.message).toContain('Replace `auth-skill`');
    expect(data.plan).toEqual({
      kind: 'changed',
      slug: 'auth-skill',
      differences: { added: ['more.md'], changed: ['SKILL.md'], removed: [] },
    });
    expect(remote.git('rev-parse', 'main')).toBe(before);
    const { out } = at.run(['publish', dir]);
    expect(out).toContain('+ more.md');
    expect(at.json(['publish', dir, '--yes'])).toMatchObject({ code: 0, data: { kind: 'published' } });
    expect(at.json(['publish', dir])).toMatchObject({ code: 0, data: { kind: 'unchanged' } });
  });

  it('is planned in JSON where nobody can be asked, and nothing is changed', () => {
    const dir = folder({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'Other'), 'bad/SKILL.md': 'none\n' });
    const { code, data } = at.json(['sync', dir]);
    expect([code, data.error.code]).toEqual([64, 'usage']);
    expect(data.plan).toMatchObject([
      { place: 'auth-skill', kind: 'changed', slug: 'auth-skill', differences: { changed: ['SKILL.md'] } },
      { place: 'bad', kind: 'refused', error: { code: 'invalid' } },
    ]);
    expect(tree()).toEqual(['auth-skill/SKILL.md']);
  });
});

describe('what `check` calls an error', () => {
  it.each([
    ['publish', (dir: string) => join(dir, 'loose')],
    ['sync', (dir: string) => dir],
    ['add', (dir: string) => join(dir, 'loose')],
  ])('%s refuses, and takes with --force', (command, of) => {
    const dir = folder({ 'loose/SKILL.md': LOOSE });
    const { code, data } = at.json([command, of(dir), '--yes']);
    expect([code, data.error.code]).toEqual([65, 'invalid']);
    expect(data.error.message).toMatch(/SKILL\.md:3: .*--force/);
    expect(tree()).toEqual(['auth-skill/SKILL.md']);
    expect(at.json([command, of(dir), '--yes', '--force']).code).toBe(0);
    expect(tree()).toContain('loose/SKILL.md');
  });

  it('is said once by publish, and nothing is to be mended where there is no skill', () => {
    const { err } = at.run(['publish', folder({ 'SKILL.md': LOOSE })]);
    expect(err.match(/SKILL\.md:3/g)).toHaveLength(1);
    const { code, err: none } = at.run(['publish', folder({ 'x.md': 'x' })]);
    expect([code, none]).toEqual([65, expect.stringMatching(/has no file SKILL\.md\. Name the folder/)]);
    expect(none).not.toContain('--fix');
  });
});

describe('add takes the skill that is meant', () => {
  const library = () =>
    folder({
      'a/pdf/SKILL.md': SKILL('pdf-one'),
      'b/pdf/SKILL.md': SKILL('pdf-two'),
      'c/odd/SKILL.md': SKILL('Plain Name'),
    });

  it('by its path, its folder or its name', () => {
    const dir = library();
    for (const [asked, place] of [
      ['a/pdf', 'a/pdf'],
      ['pdf-two', 'b/pdf'],
      ['plain name', 'c/odd'],
      ['odd', 'c/odd'],
    ] as const)
      expect(at.json(['add', dir, '--skill', asked, '--yes']).data.skills[0].place).toBe(place);
  });

  it('and none where several are, or none is named', () => {
    const dir = library();
    const several = at.json(['add', dir, '--skill', 'pdf', '--yes']);
    expect([several.code, several.data.error.message]).toEqual([
      64,
      expect.stringContaining('a/pdf, b/pdf. Name one by its path'),
    ]);
    expect(at.json(['add', dir, '--skill', ' , ', '--yes']).code).toBe(64);
    expect(tree()).toEqual(['auth-skill/SKILL.md']);
  });

  it('from a repository that is the skill, which is called by its name', () => {
    const single = repository({ 'SKILL.md': SKILL('my-skill') });
    const wrong = at.json(['add', single.dir, '--skill', 'other', '--yes']);
    expect([wrong.code, wrong.data.error.message]).toEqual([64, expect.not.stringContaining('It has ..')]);
    expect(at.json(['add', single.dir, '--skill', 'my-skill', '--yes']).code).toBe(0);
    expect(tree()).toContain('my-skill/SKILL.md');
  });
});

describe.each([
  ['a folder', (files: Record<string, string>) => folder(files)],
  ['a repository', (files: Record<string, string>) => repository(files).dir],
])('hidden folders of %s', (_, made) => {
  it('are looked into where no other has a skill', () => {
    const dir = made({
      '.claude/skills/h/SKILL.md': SKILL('h'),
      'node_modules/x/SKILL.md': SKILL('x'),
      'README.md': '',
    });
    const { data } = at.json(['add', dir, '--all', '--yes']);
    expect(kinds(data)).toEqual(['published .claude/skills/h']);
  });

  it('are passed over where one has', () => {
    const dir = made({ '.claude/skills/h/SKILL.md': SKILL('h'), 'v/SKILL.md': SKILL('v') });
    expect(kinds(at.json(['add', dir, '--all', '--yes']).data)).toEqual(['published v']);
  });
});

describe('of another repository', () => {
  it('a skill with a submodule or a pointer of Git LFS is refused, and the rest goes on', () => {
    const source = repository({
      'bad/SKILL.md': SKILL('bad'),
      'big/SKILL.md': SKILL('big'),
      'big/model.bin': POINTER,
      'good/SKILL.md': SKILL('good'),
      'bad/sub': { submodule: '1'.repeat(40) },
    });
    const { code, data } = at.json(['add', `file://${source.dir}`, '--all', '--yes']);
    expect([code, kinds(data)]).toEqual([65, ['refused bad', 'refused big', 'published good']]);
    expect(data.skills[0].error.message).toMatch(/sub is another repository .*Clone/);
    expect(data.skills[1].error.message).toMatch(/model\.bin is a pointer of Git LFS.*Clone/);
  });

  it('what is left out is said', () => {
    const source = repository({ 'd/SKILL.md': SKILL('d'), 'd/.config.json': '{}' });
    const plan = at.run(['add', `file://${source.dir}`, '--all']);
    expect(plan.out).toContain('left out: .config.json');
    const { data } = at.json(['add', `file://${source.dir}`, '--all', '--yes']);
    expect(data.skills[0].leftOut).toEqual(['.config.json']);
    expect(tree()).not.toContain('d/.config.json');
  });

  it('rules above a skill and what it includes from elsewhere are said to stay behind', () => {
    const including =
      '---\nname: s\ndescription: Does s.\nskillcdn:\n  include: [/shared/page.md, own.md]\n---\nDo it.\n';
    const source = repository({
      'SKILLCDN.md': '---\ndescription: All.\n---\nBe kind.\n',
      'team/SKILLCDN.md': '---\ndescription: Team.\n---\nBe quick.\n',
      'team/s/SKILL.md': including,
      'team/s/SKILLCDN.md': '---\ndescription: Own.\n---\nBe exact.\n',
      'team/s/own.md': 'x',
      'other/o/SKILL.md': SKILL('o'),
      'shared/page.md': 'y',
    });
    const behind = ['SKILLCDN.md', 'team/SKILLCDN.md', 'shared/page.md'];
    const cloned = folder({});
    execFileSync('git', ['clone', '--quiet', source.dir, cloned]);
    for (const from of [`file://${source.dir}`, cloned]) {
      const plan = at.run(['add', from, '--all']);
      expect(plan.out).toContain(`not published with it: ${behind.join(', ')} (`);
      const { data } = at.json(['add', from, '--all', '--yes']);
      expect(
        Object.fromEntries(
          data.skills.map(({ place, staysBehind }: { place: string; staysBehind: string[] }) => [
            place,
            staysBehind,
          ]),
        ),
      ).toEqual({
        'other/o': ['SKILLCDN.md'],
        'team/s': behind,
      });
    }
    expect(at.run(['publish', join(cloned, 'team/s'), '--yes']).err).toContain(
      'not published with it: shared/page.md',
    );
  });

  it('no variable of a deployment that is not used here is in the way', () => {
    const source = repository({ 'd/SKILL.md': SKILL('d') });
    const args = ['add', `file://${source.dir}`, '--all', '--yes'];
    expect(at.json(args, { PORT: 'abc' }).code).toBe(0);
    expect(at.json(args, { SNAPSHOT_STORE_BYTES: 'many' }).code).toBe(78);
  });
});

describe('links', () => {
  it('are not followed, and are named', () => {
    const skill = folder({ 'SKILL.md': SKILL('linked') });
    const dir = folder({ 'here/SKILL.md': SKILL('here') });
    symlinkSync(skill, join(dir, 'there'));
    for (const args of [
      ['sync', dir],
      ['add', dir, '--all'],
    ]) {
      const { code, data } = at.json([...args, '--yes']);
      expect([code, data.notes]).toEqual([0, [expect.stringContaining(`${join(dir, 'there')} is a link`)]]);
    }
    expect(tree()).not.toContain('linked/SKILL.md');
    const only = folder({});
    symlinkSync(skill, join(only, 'there'));
    expect(at.json(['sync', only]).data.error.message).toContain('is a link');
  });

  it('a search that was cut says so', () => {
    const deep = folder({ 'a/SKILL.md': SKILL('a'), '1/2/3/4/5/6/7/8/SKILL.md': SKILL('deep') });
    const { data } = at.json(['add', deep, '--all', '--yes']);
    expect(data.notes).toEqual([expect.stringContaining('1/2/3/4/5/6 was not looked into')]);
  });
});

describe('an installed copy whose folder and name are not its slug', () => {
  const copy = () => join(at.home, '.claude/skills/real-name');
  beforeEach(() => {
    remote.commit({ 'folder/SKILL.md': SKILL('real-name') });
    at.run(['get', 'folder', '--agent', 'claude']);
  });

  it('is no new skill to sync and add', () => {
    for (const command of ['sync', 'add'])
      expect(at.json([command, join(at.home, '.claude/skills'), '--yes'])).toMatchObject({
        code: 0,
        data: { skills: [{ place: 'real-name', kind: 'unchanged', slug: 'folder' }] },
      });
    expect(tree()).toEqual(['auth-skill/SKILL.md', 'folder/SKILL.md']);
  });

  it('is published as the skill that it is, unless another name is given', () => {
    writeFileSync(join(copy(), 'SKILL.md'), SKILL('real-name', 'Mine'));
    expect(at.json(['publish', copy(), '--yes']).data).toMatchObject({ kind: 'published', slug: 'folder' });
    expect(at.json(['status']).data.copies).toMatchObject([{ state: 'current' }]);
    expect(at.json(['publish', copy(), '--name', 'Other', '--yes']).data.slug).toBe('other');
  });
});

it('a source that is not there is said to be a folder that is not there', () => {
  const { code, data } = at.json(['add', '../nothing', '--yes']);
  expect([code, data.error.message]).toEqual([64, expect.stringContaining('no folder ../nothing')]);
});

it('after a failure the rest is not tried, and is listed', () => {
  const dir = folder({
    'auth-skill/SKILL.md': SKILL('auth-skill'),
    'b/SKILL.md': SKILL('b'),
    'c/SKILL.md': SKILL('c'),
  });
  hook('pre-receive', 'echo protected >&2; exit 1');
  const { code, data } = at.json(['sync', dir, '--yes']);
  expect([code, kinds(data)]).toEqual([77, ['unchanged auth-skill', 'failed b', 'not_tried c']]);
  expect(at.run(['sync', dir, '--yes']).out).toContain(
    '0 published, 1 unchanged, 0 refused, 1 failed, 1 not tried.',
  );
});

it.runIf(existsSync('/proc/self/comm'))('what was published before the command was stopped is listed', () => {
  const dir = folder({ 'a/SKILL.md': SKILL('a'), 'b/SKILL.md': SKILL('b'), 'c/SKILL.md': SKILL('c') });
  // The first push ends the command, which is the nearest `node` above.
  hook(
    'post-receive',
    'p=$$; while [ "$(cat /proc/$p/comm)" != node ]; do p=$(cut -d" " -f4 /proc/$p/stat); done; kill -INT $p',
  );
  const { code, data } = at.json(['sync', dir, '--yes']);
  expect([code, data.error.code]).toEqual([130, 'cancelled']);
  expect(kinds(data).at(-1)).toBe('not_tried c');
  expect(data.skills).toHaveLength(3);
});

it('says of a source that is not there, or does not answer, which code it is', async () => {
  const server = await gitServer({ 'team/one': remote.dir });
  try {
    const code = async (url: string) => {
      const { text } = await at.start(['add', url, '--all', '--yes', '--json']);
      return JSON.parse(text).error.code;
    };
    expect(await code(`${server.url}/team/gone`)).toBe('no_such_source');
    server.mode = 'down';
    expect(await code(`${server.url}/team/one`)).toBe('unreachable');
    const { text } = await at.start(['list', '--json'], { SKILLS_REGISTRY: `${server.url}/team/one` });
    expect(JSON.parse(text).error.code).toBe('unreachable');
  } finally {
    await server.close();
  }
}, 60_000);

it('a password in the URL of a source is never said', async () => {
  const several = repository({ 'a/SKILL.md': SKILL('a'), 'b/SKILL.md': SKILL('b') });
  const server = await gitServer({
    'team/several': several.dir,
    'team/none': repository({ 'x.md': 'x' }).dir,
  });
  const url = server.url.replace('://', '://me:s3cr3t@');
  try {
    for (const args of [
      [`${url}/team/several`],
      [`${url}/team/several`, '--skill', 'nope'],
      [`${url}/team/several`, '--skill', ','],
      [`${url}/team/several`, '--ref', 'gone', '--all'],
      [`${url}/team/none`],
      [`${url}/team/gone`, '--all'],
    ])
      for (const json of [[], ['--json']]) {
        const { code, text } = await at.start(['add', ...args, '--yes', ...json]);
        expect([code === 0, text]).toEqual([false, expect.not.stringMatching(/s3cr3t|me:/)]);
      }
  } finally {
    await server.close();
  }
}, 60_000);

function hook(name: string, script: string): void {
  const path = join(remote.dir, 'hooks', name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

describe('an installed copy of what the registry has no more', () => {
  const skills = () => join(at.home, '.claude/skills');
  const copy = () => join(skills(), 'auth-skill');
  const there = () => remote.git('show', 'main:auth-skill/SKILL.md');
  beforeEach(() => {
    at.run(['get', 'auth-skill', '--agent', 'claude']);
  });
  const change = () => writeFileSync(join(copy(), 'SKILL.md'), SKILL('auth-skill', 'Mine'));

  it('is left out by sync where it is older, and refused by publish unless forced', () => {
    remote.commit({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'New') });
    const left = { kind: 'left_out', state: 'behind', reason: expect.stringContaining('registry update') };
    writeFileSync(join(skills(), 'x'), '');
    expect(at.json(['sync', skills(), '--yes'])).toMatchObject({ code: 0, data: { skills: [left] } });
    expect(at.run(['sync', skills(), '--yes']).out).toMatch(/left out {3}auth-skill: .*, 1 left out\./s);
    mkdirSync(join(skills(), 'z'));
    writeFileSync(join(skills(), 'z/SKILL.md'), SKILL('z'));
    expect(at.json(['sync', skills()]).data.plan).toMatchObject([left, { kind: 'new' }]);
    expect(at.json(['publish', copy(), '--yes'])).toMatchObject({
      code: 65,
      data: { error: { code: 'invalid' } },
    });
    expect(there()).toContain('New');
    expect(at.json(['publish', copy(), '--yes', '--force']).code).toBe(0);
    expect(there()).not.toContain('New');
  });

  it('is refused where both were changed', () => {
    change();
    remote.commit({ 'auth-skill/SKILL.md': SKILL('auth-skill', 'New') });
    for (const args of [
      ['sync', skills()],
      ['publish', copy()],
      ['publish', copy(), '--name', 'auth-skill'],
    ]) {
      const { code, data } = at.json([...args, '--yes']);
      expect([code, data.error.message]).toEqual([65, expect.stringMatching(/update.*difference.*--force/)]);
    }
    expect(there()).toContain('New');
    expect(at.json(['publish', copy(), '--yes', '--force']).code).toBe(0);
    expect(there()).toContain('Mine');
  });

  it('does not bring back a skill that was removed', () => {
    at.run(['remove', 'auth-skill', '--yes']);
    expect(at.json(['sync', skills(), '--yes']).data.skills).toMatchObject([
      { kind: 'left_out', state: 'withdrawn' },
    ]);
    change();
    expect(at.json(['sync', skills(), '--yes']).data.skills).toMatchObject([{ kind: 'refused' }]);
    expect(at.json(['publish', copy()]).code).toBe(65);
    expect(at.json(['publish', copy(), '--force']).code).toBe(0);
  });

  it.each(['publish', 'sync'])('is one of what was published from it by %s, and can be again', (command) => {
    for (const text of ['One', 'Two']) {
      writeFileSync(join(copy(), 'SKILL.md'), SKILL('auth-skill', text));
      writeFileSync(join(copy(), '.own'), '');
      expect(at.json([command, command === 'sync' ? skills() : copy(), '--yes']).code).toBe(0);
      expect(there()).toContain(text);
    }
  });
});

it('get from a registry that is not there says so, as status does', () => {
  const { code, data } = at.json(['get', 'x'], { SKILLS_REGISTRY: `file://${remote.dir}.gone` });
  expect([code, data.error.code]).toEqual([78, 'not_found']);
});

it('publish of a skill.md says to rename it', () => {
  const { code, data } = at.json(['publish', folder({ 'skill.md': SKILL('s') })]);
  expect([code, data.error.message]).toEqual([65, expect.stringContaining('Rename skill.md')]);
});
