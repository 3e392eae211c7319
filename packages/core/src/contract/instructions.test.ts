import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nastyText } from '../../test/arbitraries.ts';
import type { MountIdentity, MountOverview } from '../answers.ts';
import { IDENTITY, OVERVIEW } from '../lib/reference-sample.ts';
import { codePointLength } from '../text.ts';
import { renderInstructions } from './instructions.ts';
import { serverInfo } from './server-info.ts';

const manyFolders = Array.from({ length: 100 }, (_, i) => ({
  kind: 'folder' as const,
  path: `area-${i}/skills`,
  skills: i,
  documents: 0,
  description: 'What this area is for, in so many words.',
}));

function ready(overview: Partial<MountOverview> = {}, identity: Partial<MountIdentity> = {}): string {
  return renderInstructions(
    { ...IDENTITY, ...identity },
    { kind: 'ready', overview: { ...OVERVIEW, ...overview }, rootName: null },
  );
}

test('instructions have at most 2,000 characters, and use them for folders', () => {
  const text = ready({ folders: manyFolders });
  expect(codePointLength(text)).toBeLessThanOrEqual(2_000);
  expect(codePointLength(text)).toBeGreaterThan(1_850);
  expect(text).toContain('- and more: browse_repo {}');
});

const skillEntries = (count: number, description: string) =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'skill' as const,
    path: `baking/skills/skill-${i}/SKILL.md`,
    browsePath: `baking/skills/skill-${i}`,
    name: `skill-${i}`,
    description,
  }));

test('a small mount names its skills with what each is for, and only folders of documents', () => {
  const text = ready({
    counts: { skills: 2, documents: 3 },
    skills: skillEntries(2, 'Scales a recipe to another number of servings.'),
    folders: [
      { kind: 'folder', path: 'baking', skills: 2, documents: 0 },
      { kind: 'folder', path: 'docs', skills: 0, documents: 3 },
    ],
    diagnostics: [],
  });
  expect(text).toContain(
    'Skills:\n- baking/skills/skill-0/SKILL.md: skill-0 – Scales a recipe to another number of servings.\n- baking/skills/skill-1/SKILL.md: skill-1 – Scales',
  );
  expect(text).toContain('Folders:\n- docs (3 documents)');
  expect(text).not.toContain('- baking (');
});

test('skills are named only where all of them fit, if need be with short descriptions', () => {
  const long = 'Does one thing well and says at length when to use it. '.repeat(5);
  const named = (count: number) =>
    ready({ counts: { skills: count, documents: 0 }, skills: skillEntries(count, long), diagnostics: [] });
  expect(named(9).match(/^- baking.*Does one thing/gm)).toHaveLength(9);
  expect(codePointLength(named(9))).toBeLessThanOrEqual(2_000);
  expect(named(30)).toContain('Folders:\n');
  expect(named(30)).not.toContain('Skills:\n');
  const some = ready({ counts: { skills: 14, documents: 0 }, skills: skillEntries(2, long) });
  expect(some).not.toContain('Skills:\n');
});

test('instructions stay within bounds and keep the four tools whatever the repository says', () => {
  fc.assert(
    fc.property(nastyText, nastyText, fc.array(nastyText, { maxLength: 4 }), (name, description, reasons) => {
      const text = ready({
        name,
        description,
        language: description,
        overview: { path: 'a'.repeat(1_000), title: name, summary: description },
        partial: { reasons },
        counts: { skills: 3, documents: 0 },
        skills: skillEntries(3, description).map((skill) => ({ ...skill, name })),
        diagnostics: Array.from({ length: 12 }, () => ({
          code: 'x',
          severity: 'error' as const,
          path: 'b'.repeat(1_000),
          message: description,
          hint: name,
        })),
      });
      expect(codePointLength(text)).toBeLessThanOrEqual(2_000);
      for (const tool of ['browse_repo {}', 'search_repo {', 'load_skill {', 'read_repo_file {'])
        expect(text).toContain(tool);
      expect(text).not.toMatch(/^(?:Next|complete|Repository):/m);
    }),
  );
});

test('an incomplete catalog is not passed off as a complete one', () => {
  expect(ready({ partial: { reasons: ['12 files are not searched.'] } })).toContain(
    'Partial: 12 files are not searched.',
  );
  expect(ready()).toContain('Diagnostics: error invalid_front_matter marketing/skills/broken/SKILL.md:3:14');
  expect(ready({ diagnostics: [] })).not.toContain('Diagnostics');
  const status = { filesRead: 1, filesKnown: 9, retryAfterSeconds: 5 };
  const indexing = renderInstructions(IDENTITY, { kind: 'indexing', status });
  expect(indexing).toContain('Status: indexing');
  expect(indexing).not.toContain('Contains:');
  const failed = { code: 'indexer.tree_truncated', reason: 'Too many manifests.', retryAfterSeconds: null };
  expect(renderInstructions(IDENTITY, { kind: 'failed', status: failed })).toContain('Status: failed');
});

test('what is served uncommitted does not pass for a branch', () => {
  const work = { commit: `worktree:${'a'.repeat(40)}`, ref: null };
  expect(ready({}, work)).toContain(`commit worktree:${'a'.repeat(40)} (uncommitted work).`);
  expect(ready({}, { ref: null })).toContain(`(default branch).`);
});

test('a mount without anything to discover says what is there', () => {
  const counts = { skills: 0, documents: 0, other: { files: 4, filesOf: 'scale-recipe' } };
  expect(ready({ counts })).toContain('Contains: 4 files of scale-recipe.');
});

test('a sub-folder mount says so', () => {
  expect(ready({}, { path: 'marketing' })).toContain('only marketing');
});

test('the prefix of skill URIs is named, with the name of a root skill, unless it is very long', () => {
  expect(ready()).toContain('\nThe same as MCP resources: skill://gh/acme/library/<path>');
  const rooted = renderInstructions(IDENTITY, { kind: 'ready', overview: OVERVIEW, rootName: 'bread' });
  expect(rooted).toContain('skill://gh/acme/library/bread/<path>');
  const long = ready({ folders: manyFolders }, { repository: `/local/${'%E6%BC%A2'.repeat(100)}/x` });
  expect(long).not.toContain('skill://');
  expect(codePointLength(long)).toBeLessThanOrEqual(2_000);
});

test('server info is named by the canonical address', () => {
  const options = { version: '1.0.0', origin: 'http://localhost:3000', overview: null };
  expect(serverInfo(IDENTITY, options)).toEqual({
    name: '/gh/acme/library@v3',
    title: 'acme/library',
    version: '1.0.0',
    websiteUrl: 'http://localhost:3000/gh/acme/library@v3',
    icons: [{ src: 'http://localhost:3000/icon/gh/acme/library@v3', sizes: ['128x128'] }],
  });
  const nested = { ...IDENTITY, repository: '/gl/group~team/library' };
  expect(serverInfo(nested, options).title).toBe('group/team/library');
  expect(serverInfo(IDENTITY, { ...options, overview: OVERVIEW })).toMatchObject({
    title: 'Acme library',
    description: 'How we write, sell and ship.',
  });
});
