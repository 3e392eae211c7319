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
    { kind: 'ready', overview: { ...OVERVIEW, ...overview } },
  );
}

test('instructions have at most 2,000 characters, and use them for folders', () => {
  const text = ready({ folders: manyFolders });
  expect(codePointLength(text)).toBeLessThanOrEqual(2_000);
  expect(codePointLength(text)).toBeGreaterThan(1_850);
  expect(text).toContain('- and more: browse_repo {}');
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

test('a sub-folder mount says so', () => {
  expect(ready({}, { path: 'marketing' })).toContain('only marketing');
});

test('the host description is the last resort, and only at the root', () => {
  const { description, overview, name, ...bare } = OVERVIEW;
  const options = { hostDescription: 'From the host.' };
  const about = (path: string): string =>
    renderInstructions(IDENTITY, { kind: 'ready', overview: { ...bare, path } }, options);
  expect(about('')).toContain('About: From the host.');
  expect(about('marketing')).not.toContain('From the host.');
  expect([description, overview, name].every((value) => value !== undefined)).toBe(true);
});

test('the prefix of skill URIs is named once it is served', () => {
  const options = { skillUriPrefix: 'skill://gh/acme/library' };
  expect(renderInstructions(IDENTITY, { kind: 'ready', overview: OVERVIEW }, options)).toContain(
    'skill://gh/acme/library/…',
  );
  expect(ready()).not.toContain('skill://');
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
