import type { BrowseEntry } from '@skillquay/core/answers';
import { diagnostic } from '@skillquay/core/diagnostics';
import { isBelow } from '@skillquay/core/paths';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answered, type RestSpec, type RowSpec, refused, snapshotOf } from '../test/tables.ts';
import type { Mount } from './reader.ts';

const FILES: Record<string, RowSpec> = {
  '.claude/skills/x/SKILL.md': {
    class: 'skill',
    discoverable: false,
    facts: { description: 'Hidden squirrel.' },
  },
  'README.md': { class: 'overview', title: 'Library', summary: 'All of it.', links: ['notes/linked.md'] },
  'SKILLCDN.md': {
    class: 'manifest',
    manifest: { description: 'The whole library.', language: 'de' },
    content: '---\ndescription: The whole library.\n---\nRoot rules.\n',
    links: ['docs/guide.md'],
  },
  'docs/guide.md': {
    class: 'document',
    title: 'Guide',
    summary: 'How to go on.',
    content: 'A guide for the walrus.',
  },
  'docs/shared.md': { class: 'document', content: '---\ntitle: Shared\n---\nShared page.' },
  'marketing/README.md': { class: 'overview', title: 'Marketing readme', summary: 'What the README says.' },
  'marketing/SKILLCDN.md': {
    class: 'manifest',
    manifest: { name: 'Marketing', description: 'All about marketing.', language: 'en' },
    content: '---\ndescription: x\n---\nMarketing rules.\n',
  },
  'marketing/skills/ad-copy/SKILL.md': {
    class: 'skill',
    licence: { kind: 'permissive', label: 'MIT', where: './LICENSE' },
    facts: {
      name: 'ad-copy',
      description: 'Writes advertisements.',
      license: 'MIT',
      compatibility: 'any',
      allowedTools: 'Read',
      metadata: { author: 'a' },
    },
    content: '\ufeff---\r\nname: ad-copy\r\n---\r\nWrite the walrus ad.\r\n',
    includes: ['docs/shared.md', 'marketing/skills/ad-copy/refs/tone.md'],
    links: [
      'marketing/skills/ad-copy/refs/tone.md',
      'marketing/skills/ad-copy/SKILL.md',
      'gone.md',
      'notes/linked.md',
      'docs/guide.md',
      'marketing/skills/ad-copy/big.md',
    ],
  },
  'marketing/skills/ad-copy/big.md': { class: 'withheld', withheld: 'too_large', size: 9_999_999 },
  'marketing/skills/ad-copy/nested/SKILL.md': {
    class: 'skill',
    facts: { name: 'nested', description: 'Inside.' },
  },
  'marketing/skills/ad-copy/nested/more.md': { class: 'supporting', content: 'Nested walrus.' },
  'marketing/skills/ad-copy/refs/tone.md': {
    class: 'supporting',
    content: 'Tone of a walrus.',
    title: 'Tone',
  },
  'marketing/skills/ad-copy/run.sh': { class: 'supporting', content: 'echo walrus' },
  'marketing/skills/bad/SKILL.md': { class: 'invalidSkill', content: 'No front matter.' },
  'notes/linked.md': { class: 'reference', content: 'Linked.' },
  'sales/skills/ad-copy/SKILL.md': {
    class: 'skill',
    copyOf: 'marketing/skills/ad-copy/SKILL.md',
    facts: { name: 'ad-copy', description: 'Writes advertisements.' },
  },
  'sales/skills/deal/SKILL.md': {
    class: 'skill',
    facts: { name: 'deal', description: 'Closes with a walrus.' },
  },
  'shut/in/a.md': { class: 'withheld', withheld: 'closed_scope' },
  vendor: { class: 'withheld', withheld: 'submodule', size: 0 },
};
const REST: RestSpec = {
  closedFolders: ['shut'],
  diagnostics: [
    { path: 'marketing/skills/ad-copy/SKILL.md', code: 'dropped_field', severity: 'warning', ofFile: true },
    { path: 'marketing/skills/bad/SKILL.md', code: 'no_front_matter', message: 'There is no front matter.' },
    { path: 'shut/SKILLCDN.md', code: 'closed_scope', message: 'It is shut.' },
  ],
};

const AD = 'marketing/skills/ad-copy/SKILL.md';
const PATHS = { maxPaths: 100, maxPathBytes: 3_000 };
const snapshot = snapshotOf(FILES, REST);

function at(path: string, from = snapshot): Mount {
  const mount = from.mount(path);
  if (mount === null) throw new Error(`There is no mount at "${path}".`);
  return mount;
}

function browse(mount: Mount, path?: string, position = 0, limit = 100) {
  return answered(mount.browse({ path, position, limit }));
}

function find(mount: Mount, query: string, path?: string, limit = 10) {
  return answered(mount.search({ query, path, after: null, limit }));
}

function names(entries: readonly BrowseEntry[]): string[] {
  return entries.map((entry) => `${entry.kind} ${entry.path}`);
}

describe('a mount', () => {
  it('is the root, a folder that is shown, or lies in a withheld one; nothing else can be mounted', () => {
    expect(snapshot.mount('')).not.toBeNull();
    expect(snapshot.mount('marketing/skills')).not.toBeNull();
    expect(snapshot.mount('shut')).not.toBeNull();
    expect(snapshot.mount('notes')).not.toBeNull();
    for (const path of ['nothing', 'docs/guide.md', 'market', 'marketing/', '../x'])
      expect(snapshot.mount(path), path).toBeNull();
  });

  it('introduces itself by its manifest, else its README', () => {
    const root = at('').overview(10);
    expect(root).toMatchObject({
      name: 'Library',
      description: 'The whole library.',
      language: 'de',
      overview: { path: 'README.md', title: 'Library', summary: 'All of it.' },
      counts: { skills: 3, documents: 2 },
      partial: null,
    });
    expect(at('marketing').overview(10)).toMatchObject({ name: 'Marketing', language: 'en' });
    expect(at('marketing/skills').overview(10).language).toBe('en');
  });

  it('names the nearest folders that hold something, and stops at the bound', () => {
    const folders = (max: number) =>
      at('')
        .overview(max)
        .folders.map((folder) => folder.path);
    expect(folders(4)).toEqual(['docs', 'marketing', 'sales', 'marketing/skills']);
    expect(folders(99)).toEqual([
      'docs',
      'marketing',
      'sales',
      'marketing/skills',
      'sales/skills',
      'marketing/skills/ad-copy',
      'sales/skills/deal',
      'marketing/skills/ad-copy/nested',
    ]);
  });

  it('names its discoverable skills, in path order and as many as are asked for', () => {
    const skills = (path: string, max?: number) =>
      at(path)
        .overview(0, max)
        .skills?.map((skill) => skill.path);
    const nested = 'marketing/skills/ad-copy/nested/SKILL.md';
    expect(skills('', 9)).toEqual([AD, nested, 'sales/skills/deal/SKILL.md']);
    expect(skills('', 2)).toEqual([AD, nested]);
    expect(skills('marketing/skills/ad-copy/nested', 9)).toEqual([nested]);
    expect(skills('docs', 9)).toEqual([]);
    expect(skills('shut', 9)).toEqual([]);
    expect(skills('')).toBeUndefined();
  });

  it('says what is partial in every listing and search', () => {
    const partial = snapshotOf({ 'a/SKILL.md': { class: 'skill' } }, { partial: ['12 files are left out.'] });
    const expected = { reasons: ['12 files are left out.'] };
    expect(at('', partial).overview(1).partial).toEqual(expected);
    expect(browse(at('', partial)).partial).toEqual(expected);
    expect(find(at('', partial), 'x').partial).toEqual(expected);
  });
});

describe('browsing', () => {
  it('lists folders before files, each with what it is', () => {
    const answer = browse(at(''));
    expect(names(answer.entries)).toEqual([
      'folder .claude',
      'folder docs',
      'folder marketing',
      'folder notes',
      'folder sales',
      'folder shut',
      'withheld vendor',
    ]);
    expect(browse(at(''), 'notes')).toMatchObject({ counts: { skills: 0, documents: 0 }, total: 0 });
    expect(answer.manifestPath).toBe('SKILLCDN.md');
    expect(answer.entries[2]).toEqual({
      kind: 'folder',
      path: 'marketing',
      name: 'Marketing',
      description: 'All about marketing.',
      manifestPath: 'marketing/SKILLCDN.md',
      overviewPath: 'marketing/README.md',
      skills: 2,
      documents: 0,
    });
    expect(answer.entries[5]).toEqual({
      kind: 'folder',
      path: 'shut',
      skills: 0,
      documents: 0,
      withheld: 'closed_scope',
    });
    expect(answer.entries[6]).toEqual({ kind: 'withheld', path: 'vendor', reason: 'submodule', size: 0 });
  });

  it('shows the skill a folder is, and inside it the skill with its files', () => {
    const [folder] = browse(at(''), 'marketing/skills').entries;
    const skill = {
      kind: 'skill',
      path: AD,
      browsePath: 'marketing/skills/ad-copy',
      name: 'ad-copy',
      description: 'Writes advertisements.',
    };
    expect(folder).toMatchObject({ kind: 'folder', path: 'marketing/skills/ad-copy', skill, skills: 2 });
    const inside = browse(at(''), 'marketing/skills/ad-copy');
    expect(names(inside.entries)).toEqual([
      'folder marketing/skills/ad-copy/nested',
      'folder marketing/skills/ad-copy/refs',
      `skill ${AD}`,
      'withheld marketing/skills/ad-copy/big.md',
      'file marketing/skills/ad-copy/run.sh',
    ]);
    expect(inside.entries[2]).toEqual(skill);
    expect(browse(at(''), 'marketing/skills/ad-copy/refs').entries).toEqual([
      {
        kind: 'file',
        path: 'marketing/skills/ad-copy/refs/tone.md',
        role: 'supporting',
        title: 'Tone',
        size: 17,
      },
    ]);
    expect(browse(at(''), 'docs').entries[0]).toMatchObject({
      kind: 'document',
      role: 'document',
      title: 'Guide',
      summary: 'How to go on.',
    });
  });

  it('shows a root skill without hiding what lies below', () => {
    const root = at('', snapshotOf({ 'SKILL.md': { class: 'skill' }, 'a/SKILL.md': { class: 'skill' } }));
    expect(names(browse(root).entries)).toEqual(['folder a', 'skill SKILL.md']);
    expect(browse(root).counts.skills).toBe(2);
    expect(browse(root).entries[1]).toMatchObject({ browsePath: '' });
  });

  it('says why a copy and a hidden skill are not counted, without naming what lies outside', () => {
    const reason = (mount: string, path: string) => {
      const [entry] = browse(at(mount), path).entries;
      return entry?.kind === 'folder' ? [entry.skills, entry.skill?.undiscoverable] : [];
    };
    expect(reason('', 'sales/skills')).toEqual([0, `copy of ${AD}`]);
    expect(reason('sales', 'sales/skills')).toEqual([0, 'copy of a skill outside this mount']);
    expect(reason('', '.claude/skills')).toEqual([0, 'hidden: the repository has visible skills']);
  });

  it('tells of a name that collides without saying with what outside the mount', () => {
    const from = snapshotOf(
      {
        'A/s/SKILL.md': { class: 'skill' },
        'a/S/SKILL.md': { class: 'skill' },
        'a/s/SKILL.md': { class: 'skill' },
      },
      {
        diagnostics: [
          diagnostic('case_collision', { path: 'a/S/SKILL.md', other: 'A/s/SKILL.md' }),
          diagnostic('case_collision', { path: 'a/s/SKILL.md', other: 'a/S/SKILL.md' }),
        ],
      },
    );
    const said = (mount: Mount, path: string) => answered(mount.skill(path, PATHS)).warnings[0]?.message;
    expect(said(at('', from), 'a/S/SKILL.md')).toContain('differs from `A/s/SKILL.md`');
    expect(said(at('a', from), 'a/S/SKILL.md')).toContain('differs from `a path outside this mount`');
    expect(said(at('a', from), 'a/s/SKILL.md')).toContain('differs from `a/S/SKILL.md`');
    expect(JSON.stringify(at('a', from).browse({ path: 'a/S', position: 0, limit: 9 }))).not.toContain('A/s');
  });

  it('says what lies in a folder without anything to discover', () => {
    const from = snapshotOf(
      {
        'a/SKILL.md': { class: 'skill', facts: { name: 'the-one' } },
        'a/refs/a.md': { class: 'supporting' },
        'a/refs/b.md': { class: 'supporting' },
        'a/refs/c.bin': { class: 'withheld', withheld: 'lfs_pointer' },
        'a/refs/README.md': { class: 'overview' },
        'b/bad/SKILL.md': { class: 'invalidSkill' },
        'b/bad/a.md': { class: 'supporting' },
        'b/copy/SKILL.md': { class: 'skill', copyOf: 'a/SKILL.md' },
        'b/hidden/SKILL.md': { class: 'skill', discoverable: false },
        'c/one/a.md': { class: 'supporting' },
        'd/shut/a.md': { class: 'withheld', withheld: 'closed_scope' },
      },
      { closedFolders: ['d/shut'] },
    );
    const other = (path: string, mount = '') => browse(at(mount, from), path).counts.other;
    expect(other('')).toBeUndefined();
    expect(other('a')).toBeUndefined();
    expect(other('a/refs')).toEqual({ files: 2, filesOf: 'the-one', withheld: 1 });
    expect(other('a/refs', 'a/refs')).toEqual({ files: 2, withheld: 1 });
    expect(other('b')).toEqual({ copies: 1, hidden: 1, broken: 1 });
    expect(other('b/bad')).toEqual({ broken: 1 });
    expect(other('c')).toEqual({ files: 1 });
    expect(other('d')).toBeUndefined();
    expect(browse(at('', from), 'a').entries[0]).toMatchObject({ other: { files: 2 } });
    expect(at('a/refs', from).overview(1).counts.other).toEqual({ files: 2, withheld: 1 });
  });

  it('gives the errors of a folder and of what lies directly in it, and counts those further down', () => {
    const told = (path: string) => {
      const { diagnostics, moreDiagnostics, moreBelow } = browse(at(''), path);
      return [diagnostics.map(({ code }) => code), moreDiagnostics, moreBelow];
    };
    expect(told('')).toEqual([['closed_scope'], 1, 'marketing/skills/bad']);
    expect(told('marketing')).toEqual([[], 1, 'marketing/skills/bad']);
    expect(told('marketing/skills')).toEqual([['no_front_matter'], undefined, undefined]);
    expect(told('marketing/skills/bad')).toEqual([['no_front_matter'], undefined, undefined]);
    const deep = snapshotOf(
      { 'a/SKILL.md': { class: 'skill' } },
      { diagnostics: ['a/SKILL.md', 'a/b/c/x.md', 'a/b/d/x.md', 'a/x.md'].map((path) => ({ path })) },
    );
    expect(browse(at('', deep))).toMatchObject({
      diagnostics: [{ path: 'a/SKILL.md' }],
      moreDiagnostics: 3,
      moreBelow: 'a',
    });
    expect(browse(at('', deep), 'a')).toMatchObject({
      diagnostics: [{}, {}],
      moreDiagnostics: 2,
      moreBelow: 'a/b',
    });
    expect(
      at('')
        .overview(1)
        .diagnostics.map(({ code }) => code),
    ).toEqual(['no_front_matter', 'closed_scope']);
  });

  it('names a manifest that cannot be used however deep it lies', () => {
    const from = snapshotOf(
      {
        'a/SKILL.md': { class: 'skill' },
        'x/y/shut/a.md': { class: 'withheld', withheld: 'closed_scope' },
      },
      {
        closedFolders: ['x/y/shut'],
        diagnostics: [{ path: 'x/y/shut/SKILLCDN.md', code: 'closed_scope' }, { path: 'x/y/z/bad.md' }],
      },
    );
    expect(browse(at('', from))).toMatchObject({
      diagnostics: [{ path: 'x/y/shut/SKILLCDN.md' }],
      moreDiagnostics: 1,
      moreBelow: 'x/y/z',
    });
    expect(browse(at('', from), 'a').diagnostics).toEqual([]);
  });

  it('says all of the folder itself, and as a reader of it is told', () => {
    const codes = (path: string) => browse(at(''), path).diagnostics.map(({ code }) => code);
    expect(codes('marketing/skills/ad-copy')).toEqual(['dropped_field']);
    expect(codes('sales')).toEqual([]);
    expect(browse(at(''), 'marketing/skills').diagnostics[0]).not.toHaveProperty('ofFile');
  });

  it('bounds what it says of problems, and counts the rest', () => {
    const diagnostics = Array.from({ length: 70 }, (_, i) => ({ path: `a/${i + 10}/SKILL.md` }));
    const many = at('', snapshotOf({ 'a/10/SKILL.md': { class: 'invalidSkill' } }, { diagnostics }));
    expect(browse(many, 'a').diagnostics).toHaveLength(50);
    expect(browse(many, 'a')).toMatchObject({ moreDiagnostics: 20, moreBelow: 'a' });
    expect(browse(many)).toMatchObject({ diagnostics: [], moreDiagnostics: 70, moreBelow: 'a' });
    expect(many.overview(1)).toMatchObject({ moreDiagnostics: 20 });
    expect(browse(many, 'a/10')).not.toHaveProperty('moreDiagnostics');
  });

  it('counts for the author what there is to mend, errors before warnings', () => {
    const diagnostics = [
      { path: 'a/1/SKILL.md', code: 'name_not_hyphenated', severity: 'warning' as const },
      { path: 'a/2/SKILL.md', code: 'recovered_front_matter', severity: 'warning' as const },
      { path: 'a/3/SKILL.md' },
      { path: 'b/SKILL.md' },
      { path: 'c', code: 'symlink', severity: 'info' as const },
    ];
    const made = snapshotOf(
      { 'a/1/SKILL.md': { class: 'invalidSkill' }, 'b/SKILL.md': { class: 'invalidSkill' } },
      { diagnostics },
    );
    const paths = (path: string, limit: number) => {
      const { errors, warnings, worst } = at(path, made).problems(limit);
      return [errors, warnings, ...worst.map((one) => one.path)];
    };
    expect(paths('', 3)).toEqual([3, 1, 'a/2/SKILL.md', 'a/3/SKILL.md', 'b/SKILL.md']);
    expect(paths('a', 9)).toEqual([2, 1, 'a/2/SKILL.md', 'a/3/SKILL.md', 'a/1/SKILL.md']);
    expect(paths('', 1)).toEqual([3, 1, 'a/2/SKILL.md']);
    expect(at('shut').problems(9)).toMatchObject({ errors: 1, worst: [{ message: 'It is shut.' }] });
  });

  it('shows nothing of a withheld folder but the reason, in whatever way it is asked', () => {
    expect(browse(at(''), 'shut')).toMatchObject({
      entries: [],
      total: 0,
      diagnostics: [{ message: 'It is shut.' }],
    });
    for (const path of ['shut', 'shut/in', 'shut/not-there']) {
      const inside = at(path).overview(9);
      expect(inside).toMatchObject({
        counts: { skills: 0, documents: 0 },
        diagnostics: [{ code: 'closed_scope' }],
      });
      expect(browse(at(path)).entries).toEqual([]);
      expect(find(at(path), 'walrus').hits).toEqual([]);
    }
    const real = refused(at('').browse({ path: 'shut/in', position: 0, limit: 9 }));
    const unreal = refused(at('').browse({ path: 'shut/no', position: 0, limit: 9 }));
    expect(real.code).toBe('folder.not_found');
    expect(real.message.replace('shut/in', 'shut/no')).toBe(unreal.message);
  });

  it('is empty for a repository whose root is withheld', () => {
    const shut = snapshotOf(
      { 'a/SKILL.md': { class: 'withheld', withheld: 'closed_scope' } },
      { closedFolders: [''], diagnostics: [{ path: 'SKILLCDN.md', code: 'closed_scope' }] },
    );
    expect(browse(at('', shut))).toMatchObject({ entries: [], diagnostics: [{ code: 'closed_scope' }] });
    expect(find(at('', shut), 'a').hits).toEqual([]);
    expect(find(at('', shut), 'a').diagnostics).toHaveLength(1);
    expect(refused(at('', shut).browse({ path: 'a', position: 0, limit: 1 })).code).toBe('folder.not_found');
  });

  it('tells a file from a folder', () => {
    expect(refused(at('').browse({ path: 'docs/guide.md', position: 0, limit: 1 })).message).toMatch(
      /is a file/,
    );
  });

  it('cuts pages that join up to the whole, wherever they are cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('', 'marketing/skills/ad-copy'),
        (limit, path) => {
          const whole = browse(at(''), path);
          const pages: BrowseEntry[] = [];
          for (let position = 0; position < whole.total; position += limit)
            pages.push(...browse(at(''), path, position, limit).entries);
          expect(pages).toEqual(whole.entries);
          expect(browse(at(''), path, whole.total + 5, limit).entries).toEqual([]);
        },
      ),
    );
  });

  it('reads the end of a very long folder', () => {
    const files = Array.from({ length: 3_000 }, (_, i): [string, RowSpec] => [
      `docs/${String(i).padStart(5, '0')}.md`,
      { class: 'document', content: '' },
    ]);
    const long = at('', snapshotOf(Object.fromEntries(files)));
    expect(names(browse(long, 'docs', 2_999, 50).entries)).toEqual(['document docs/02999.md']);
    expect(browse(long, 'docs').total).toBe(3_000);
  });
});

describe('searching', () => {
  const shown = (mount: Mount, query: string, path?: string) =>
    find(mount, query, path).hits.map((hit) => (hit.kind === 'skill' ? hit.skill.path : hit.path));

  it('folds files under their skill and lets documents stand for themselves', () => {
    const { hits } = find(at(''), 'walrus');
    expect(new Set(shown(at(''), 'walrus'))).toEqual(
      new Set([
        AD,
        'docs/guide.md',
        'marketing/skills/ad-copy/nested/SKILL.md',
        'sales/skills/deal/SKILL.md',
      ]),
    );
    const ad = hits.find((hit) => hit.kind === 'skill' && hit.skill.path === AD);
    expect(ad).toMatchObject({ moreFiles: 0 });
    expect(ad?.kind === 'skill' ? [...ad.files].sort() : []).toEqual([
      'marketing/skills/ad-copy/refs/tone.md',
      'marketing/skills/ad-copy/run.sh',
    ]);
    expect(hits.find((hit) => hit.kind === 'document')).toEqual({
      kind: 'document',
      path: 'docs/guide.md',
      title: 'Guide',
      summary: 'How to go on.',
    });
  });

  it('finds neither copies nor hidden skills', () => {
    expect(shown(at(''), 'advertisements')).toEqual([AD]);
    expect(shown(at(''), 'squirrel')).toEqual([]);
  });

  it('names five matching files and counts the others', () => {
    const files = Array.from({ length: 9 }, (_, i): [string, RowSpec] => [
      `s/${i}.md`,
      { class: 'supporting', content: 'heron' },
    ]);
    const many = snapshotOf({ 's/SKILL.md': { class: 'skill' }, ...Object.fromEntries(files) });
    const [hit] = find(at('', many), 'heron').hits;
    expect(hit).toMatchObject({ kind: 'skill', moreFiles: 4 });
    expect(hit?.kind === 'skill' ? hit.files : []).toHaveLength(5);
    // The skill matches too, in one place of a long text: worse than all of its files, and it is none of them.
    const body = `heron${' and so on'.repeat(400)}`;
    const skill = { class: 'skill', content: body, facts: { name: 's', description: 'd' } } as const;
    const both = snapshotOf({ 's/SKILL.md': skill, ...Object.fromEntries(files) });
    expect(find(at('', both), 'heron').hits[0]).toMatchObject({ moreFiles: 4 });
  });

  it('keeps to the folder asked for, and to the mount', () => {
    expect(shown(at(''), 'walrus', 'docs')).toEqual(['docs/guide.md']);
    // The skill lies above the folder, and still inside the mount.
    expect(shown(at(''), 'walrus', 'marketing/skills/ad-copy/refs')).toEqual([AD]);
    expect(shown(at('marketing/skills/ad-copy/refs'), 'walrus')).toEqual([]);
    expect(shown(at('sales'), 'walrus')).toEqual(['sales/skills/deal/SKILL.md']);
  });

  it('goes on where a page ended', () => {
    const mount = at('');
    const whole = find(mount, 'walrus');
    const first = find(mount, 'walrus', undefined, 2);
    expect(first.more).toBe(true);
    const rest = answered(mount.search({ query: 'walrus', after: first.positions[1] ?? null, limit: 10 }));
    expect([...first.hits, ...rest.hits]).toEqual(whole.hits);
    expect(rest.more).toBe(false);
  });

  it('says when a query holds no word, and which manifests cannot be used', () => {
    expect(find(at(''), '?!').nothingToSearch).toBe(true);
    expect(find(at(''), 'walrus')).not.toHaveProperty('nothingToSearch');
    expect(find(at(''), 'walrus').diagnostics.map(({ code }) => code)).toEqual(['closed_scope']);
    expect(find(at(''), 'walrus', 'docs').diagnostics).toEqual([]);
  });

  it('refuses a path that is no folder here', () => {
    for (const path of ['nothing', 'docs/guide.md', 'shut/in'])
      expect(refused(at('').search({ query: 'a', path, after: null, limit: 1 })).code).toBe(
        'folder.not_found',
      );
  });
});

describe('a skill', () => {
  it('says what it is, what belongs to it, what it points at and what is left out', () => {
    expect(answered(at('').skill(AD, PATHS))).toEqual({
      path: AD,
      name: 'ad-copy',
      description: 'Writes advertisements.',
      licence: { kind: 'permissive', label: 'MIT', where: 'marketing/skills/ad-copy/LICENSE' },
      compatibility: 'any',
      allowedTools: 'Read',
      metadata: { author: 'a' },
      warnings: [
        {
          code: 'dropped_field',
          severity: 'warning',
          path: AD,
          message: 'Something is wrong.',
          hint: 'Correct it.',
        },
      ],
      files: ['marketing/skills/ad-copy/refs/tone.md', 'marketing/skills/ad-copy/run.sh'],
      fileCount: 2,
      references: ['docs/guide.md', 'marketing/skills/ad-copy/refs/tone.md', 'notes/linked.md'],
      leftOut: [
        { kind: 'withheld', path: 'marketing/skills/ad-copy/big.md', reason: 'too_large', size: 9_999_999 },
      ],
      sourceUrl: `https://page.example/${'a'.repeat(40)}/${AD}`,
    });
  });

  it('bounds its lists and counts what they leave out', () => {
    const one = answered(at('').skill(AD, { maxPaths: 1, maxPathBytes: 3_000 }));
    expect(one).toMatchObject({
      files: ['marketing/skills/ad-copy/refs/tone.md'],
      fileCount: 2,
      references: ['docs/guide.md'],
      moreReferences: 2,
    });
    const none = answered(at('').skill(AD, { maxPaths: 9, maxPathBytes: 5 }));
    expect(none).toMatchObject({
      files: [],
      fileCount: 2,
      references: [],
      moreReferences: 3,
      moreLeftOut: 1,
    });
  });

  it('points at nothing outside the mount', () => {
    const { references } = answered(at('marketing').skill(AD, PATHS));
    expect(references).toEqual(['marketing/skills/ad-copy/refs/tone.md']);
  });

  it('is loaded though it is a copy or hidden', () => {
    expect(answered(at('').skill('sales/skills/ad-copy/SKILL.md', PATHS)).name).toBe('ad-copy');
    expect(answered(at('').skill('.claude/skills/x/SKILL.md', PATHS)).fileCount).toBe(0);
  });

  it('is named by its exact path alone, and a directory says which path that is', () => {
    const message = (path: string) => refused(at('').skill(path, PATHS)).message;
    expect(message('marketing/skills/ad-copy')).toContain(`"${AD}"`);
    expect(message('ad-copy')).toMatch(/^There is no skill at "ad-copy"/);
    expect(message('docs/guide.md')).toMatch(/is a file, but not a skill/);
    expect(message('marketing/skills/bad/SKILL.md')).toMatch(/There is no front matter\./);
  });

  it('of a root does not claim documents or nested skills', () => {
    const root = snapshotOf({
      'SKILL.md': { class: 'skill' },
      'a/SKILL.md': { class: 'skill' },
      'a/b.md': { class: 'supporting' },
      'docs/d.md': { class: 'document' },
      'x.md': { class: 'supporting' },
    });
    expect(answered(at('', root).skill('SKILL.md', PATHS)).files).toEqual(['x.md']);
  });
});

describe('the context of a skill', () => {
  it('is the rules from the root down, the instructions, and the includes in order', async () => {
    const { parts, missing } = answered(await at('').context(AD));
    expect(parts).toEqual([
      { kind: 'rules', path: 'SKILLCDN.md', text: 'Root rules.\n' },
      { kind: 'rules', path: 'marketing/SKILLCDN.md', text: 'Marketing rules.\n' },
      { kind: 'instructions', path: AD, text: 'Write the walrus ad.\r\n' },
      { kind: 'included', path: 'docs/shared.md', text: '---\ntitle: Shared\n---\nShared page.' },
      { kind: 'included', path: 'marketing/skills/ad-copy/refs/tone.md', text: 'Tone of a walrus.' },
    ]);
    expect(missing).toEqual([]);
  });

  it('is the same on a mount of a directory, which still cannot read the shared page', async () => {
    const mount = at('marketing/skills/ad-copy');
    expect(await mount.context(AD)).toEqual(await at('').context(AD));
    expect(refused(await mount.file('docs/shared.md')).code).toBe('file.not_found');
    expect(refused(await mount.file('SKILLCDN.md')).code).toBe('file.not_found');
  });

  it('has no part for a manifest without a body', async () => {
    const bare = snapshotOf({
      'SKILLCDN.md': { class: 'manifest', content: '---\ndescription: x\n---\n\n' },
      'a/SKILL.md': { class: 'skill', content: '---\nname: a\n---\n' },
    });
    expect(answered(await at('', bare).context('a/SKILL.md')).parts).toEqual([
      { kind: 'instructions', path: 'a/SKILL.md', text: '' },
    ]);
  });

  it('names whatever required is missing', async () => {
    const codes = async (files: Record<string, RowSpec>) => {
      const { missing, parts } = answered(await at('', snapshotOf(files)).context('a/SKILL.md'));
      return [missing.map(({ code, path }) => `${code} ${path}`), parts.map(({ path }) => path)];
    };
    const skill = { class: 'skill', includes: ['a/b.md'] } as const;
    expect(await codes({ 'a/SKILL.md': { class: 'skill', missingIncludes: ['a/gone.md'] } })).toEqual([
      ['file_unavailable a/SKILL.md'],
      ['a/SKILL.md'],
    ]);
    expect(
      await codes({ 'a/SKILL.md': skill, 'a/b.md': { class: 'supporting', content: Uint8Array.of(0xff) } }),
    ).toEqual([['file_unavailable a/SKILL.md'], ['a/SKILL.md']]);
    expect(
      await codes({ 'a/SKILL.md': skill, 'a/b.md': { class: 'withheld', withheld: 'lfs_pointer' } }),
    ).toEqual([['file_unavailable a/SKILL.md'], ['a/SKILL.md']]);
    expect(
      await codes({ 'SKILLCDN.md': { class: 'manifest', lost: true }, 'a/SKILL.md': { class: 'skill' } }),
    ).toEqual([['object_missing SKILLCDN.md'], ['a/SKILL.md']]);
    expect(await codes({ 'a/SKILL.md': { class: 'skill', lost: true } })).toEqual([
      ['object_missing a/SKILL.md'],
      [],
    ]);
    expect(await codes({ 'a/SKILL.md': { class: 'skill', facts: { incomplete: true } } })).toEqual([
      ['unrecovered_skillcdn a/SKILL.md'],
      ['a/SKILL.md'],
    ]);
  });
});

describe('a file', () => {
  it('comes as it is stored: byte order mark, line ends, front matter and all', async () => {
    expect(answered(await at('').file(AD))).toEqual({
      path: AD,
      text: '\ufeff---\r\nname: ad-copy\r\n---\r\nWrite the walrus ad.\r\n',
    });
  });

  it('is read whatever class it was given a row for', async () => {
    for (const path of [
      'README.md',
      'SKILLCDN.md',
      'notes/linked.md',
      'docs/guide.md',
      'marketing/skills/bad/SKILL.md',
    ])
      expect(answered(await at('').file(path)).path).toBe(path);
  });

  it('is refused with the reason and its source where it cannot be carried', async () => {
    const files: Record<string, RowSpec> = {
      'a/SKILL.md': { class: 'skill' },
      'a/big.txt': { class: 'supporting', size: 11 },
      'a/bytes.bin': { class: 'supporting', content: Uint8Array.of(1, 0xff, 2) },
      'a/grown.txt': { class: 'supporting', content: 'eleven bytes', size: 2 },
      'a/lfs.bin': {
        class: 'supporting',
        content: `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 123456\n`,
      },
      'a/link': { class: 'withheld', withheld: 'symlink' },
      'a/lost.md': { class: 'supporting', lost: true },
      'a/module': { class: 'withheld', withheld: 'submodule' },
      'a/not-text.md': { class: 'withheld', withheld: 'not_text' },
      'a/over.md': { class: 'withheld', withheld: 'beyond_limit' },
      'a/pointer.md': { class: 'withheld', withheld: 'lfs_pointer' },
      'a/huge.md': { class: 'withheld', withheld: 'too_large', size: 3_000_000 },
      'a/gone.md': { class: 'withheld', withheld: 'object_missing' },
    };
    const small = at('', snapshotOf(files, {}, { maxFileBytes: 10 }));
    const large = at('', snapshotOf(files));
    const raw = (path: string) => `https://raw.example/${'a'.repeat(40)}/${path}`;
    const page = (path: string) => `https://page.example/${'a'.repeat(40)}/${path}`;
    const of = async (mount: Mount, path: string) => {
      const { code, sourceUrl } = refused(await mount.file(path));
      return [code, sourceUrl];
    };
    expect(await of(small, 'a/big.txt')).toEqual(['file.too_large', raw('a/big.txt')]);
    expect(await of(small, 'a/grown.txt')).toEqual(['file.too_large', raw('a/grown.txt')]);
    expect(await of(large, 'a/huge.md')).toEqual(['file.too_large', raw('a/huge.md')]);
    expect(await of(large, 'a/bytes.bin')).toEqual(['file.not_text', raw('a/bytes.bin')]);
    expect(await of(large, 'a/not-text.md')).toEqual(['file.not_text', raw('a/not-text.md')]);
    expect(await of(large, 'a/lfs.bin')).toEqual(['file.not_served', raw('a/lfs.bin')]);
    expect(await of(large, 'a/pointer.md')).toEqual(['file.not_served', raw('a/pointer.md')]);
    expect(await of(large, 'a/over.md')).toEqual(['file.not_served', raw('a/over.md')]);
    expect(await of(large, 'a/lost.md')).toEqual(['file.unavailable', raw('a/lost.md')]);
    expect(await of(large, 'a/gone.md')).toEqual(['file.unavailable', raw('a/gone.md')]);
    expect(await of(large, 'a/link')).toEqual(['file.not_served', page('a/link')]);
    expect(await of(large, 'a/module')).toEqual(['file.not_served', page('a/module')]);
  });

  it('without a page at its host is shown by git', async () => {
    const links = { raw: () => null, page: () => null };
    const local = snapshotOf(
      { "it's/SKILL.md": { class: 'skill' }, 'a/SKILL.md': { class: 'skill' } },
      {},
      { links },
    );
    const source = (path: string) => answered(at('', local).skill(path, PATHS)).sourceUrl;
    expect(source('a/SKILL.md')).toBe(`git show ${'a'.repeat(40)}:a/SKILL.md`);
    expect(source("it's/SKILL.md")).toBe(`git show '${'a'.repeat(40)}:it'\\''s/SKILL.md'`);
  });

  it('that is a folder says so', async () => {
    expect(refused(await at('').file('docs')).message).toMatch(/is a folder/);
  });
});

describe('what a mount does not hold', () => {
  async function answersTo(mount: Mount, path: string): Promise<string> {
    const answers = [
      mount.browse({ path, position: 0, limit: 10 }),
      mount.search({ query: 'walrus', path, after: null, limit: 10 }),
      mount.skill(path, PATHS),
      await mount.context(path),
      await mount.file(path),
    ];
    return JSON.stringify(answers).replaceAll(JSON.stringify(path).slice(1, -1), '<path>');
  }

  it('answers by the same bytes, whether it lies outside or nowhere', async () => {
    const nowhere = await answersTo(at('sales'), 'nowhere/at/all.md');
    for (const path of [
      ...Object.keys(FILES),
      'marketing',
      'marketing/skills/ad-copy',
      'docs',
      'sale',
      'sales.md',
    ]) {
      if (path === 'sales' || isBelow(path, 'sales')) continue;
      expect(await answersTo(at('sales'), path), path).toBe(nowhere);
    }
    expect(await answersTo(at('sales'), 'sales/nowhere')).toBe(nowhere);
  });

  it('tells the root of the repository from a folder only by its name', async () => {
    expect(refused(at('sales').browse({ path: '', position: 0, limit: 1 })).code).toBe('folder.not_found');
  });

  it('never shows in any answer of any mount', async () => {
    const folders = Array.from({ length: snapshot.index.folders.count }, (_, i) =>
      snapshot.index.folders.path(i),
    );
    const allowed = (mount: string, path: string) => mount === '' || path === mount || isBelow(path, mount);
    for (const path of folders) {
      const mount = snapshot.mount(path);
      if (mount === null) continue;
      const answers: object[] = [
        mount.overview(99),
        mount.problems(99),
        answered(mount.search({ query: 'walrus squirrel advertisements', after: null, limit: 25 })),
      ];
      for (const below of folders.filter((one) => allowed(path, one)))
        answers.push(mount.browse({ path: below, position: 0, limit: 99 }));
      for (const file of Object.keys(FILES).filter((one) => allowed(path, one)))
        answers.push(mount.skill(file, PATHS));
      const text = JSON.stringify(answers);
      for (const outside of Object.keys(FILES).filter((one) => !allowed(path, one)))
        if (!outside.startsWith('vendor'))
          expect(text, `${outside} on ${path}`).not.toContain(`"${outside}"`);
    }
  });

  it('is told by the rule it breaks when it cannot be a path at all', async () => {
    for (const path of [
      '/docs',
      'docs/',
      'a//b',
      '../docs',
      './docs',
      'a\\b',
      'a\u0000',
      'a\u202eb',
      'x'.repeat(1_025),
    ]) {
      expect(refused(at('').browse({ path, position: 0, limit: 1 })).code).toBe('path.invalid');
      expect(refused(at('').search({ query: 'a', path, after: null, limit: 1 })).code).toBe('path.invalid');
      expect(refused(at('').skill(path, PATHS)).code).toBe('path.invalid');
      expect(refused(await at('').context(path)).code).toBe('path.invalid');
      expect(refused(await at('').file(path)).code).toBe('path.invalid');
    }
    expect(refused(await at('').file('')).code).toBe('path.invalid');
  });

  it('in a withheld folder is refused alike, there or not', async () => {
    const there = await answersTo(at(''), 'shut/in/a.md');
    expect(await answersTo(at(''), 'shut/in/b.md')).toBe(there);
    expect(refused(await at('').file('shut/in/a.md')).code).toBe('file.not_served');
    expect(there).toContain('closed_scope');
  });
});
