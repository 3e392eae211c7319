// What `list`, `search` and `remove` make of a registry that is not there, and of names that are not quite those.
import { beforeEach, describe, expect, it } from 'vitest';
import { repository, type TestRepository } from '../../../test-support/repository.ts';
import { type RegistryHome, registryHome, SKILL } from './registry-command.ts';

let remote: TestRepository;
let at: RegistryHome;
beforeEach(() => {
  remote = repository({
    'hy_phen/SKILL.md': SKILL('hy_phen', 'Counts sheep'),
    'b/SKILL.md': SKILL('b', 'Counts goats'),
    'broken/SKILL.md': '---\nname: [\n---\n',
  });
  at = registryHome(`file://${remote.dir}`);
});

describe('a repository that is not there', () => {
  const gone = () => ({ SKILLS_REGISTRY: `file://${at.home}/gone.git` });

  it('is a failure of search and remove', () => {
    for (const args of [
      ['search', 'x'],
      ['remove', 'x', '--yes'],
    ]) {
      const { code, data } = at.json(args, gone());
      expect([code, data.error.code]).toEqual([78, 'not_found']);
    }
  });

  it('is said by list beside its lines', () => {
    const { code, out, err } = at.run(['list'], gone());
    expect([code, out, err]).toEqual([0, '', expect.stringMatching(/^note: .*does not exist/)]);
    expect(at.json(['list'], gone()).data).toMatchObject({ missing: true, skills: [] });
  });
});

describe('search', () => {
  it('finds what has any of the words, best first', () => {
    const { out } = at.run(['search', 'counts', 'sheep']);
    expect(out.split('\n').map((line) => line.split('\t')[0])).toEqual(['hy_phen', 'b', '']);
  });

  it('does not find what is only said of a skill that nobody can read', () => {
    expect(at.run(['search', 'line']).out).toBe('');
    expect(at.run(['search', 'unreadable']).out).toBe('');
    expect(at.run(['search', 'broken']).out).toContain('broken\t');
  });
});

describe('remove', () => {
  it('knows what it removes before it asks', () => {
    const miss = at.json(['remove', 'nope']);
    expect([miss.code, miss.data.error.code]).toEqual([65, 'no_such_skill']);
    const { code, data } = at.json(['remove', 'B']);
    expect([code, data.error.message]).toEqual([64, expect.stringContaining('Remove `b` from')]);
  });

  it('takes a yes in advance for the very skill that is named alone', () => {
    const { code, data } = at.json(['remove', 'hyphen', '--yes']);
    expect([code, data.error.message]).toEqual([64, expect.stringContaining('`hy_phen`')]);
    expect(remote.git('ls-tree', '--name-only', 'main')).toContain('hy_phen');
    expect(at.json(['remove', 'hy_phen', '--yes'])).toMatchObject({ code: 0, data: { slug: 'hy_phen' } });
  });
});
