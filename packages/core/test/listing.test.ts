import { describe, expect, test } from 'vitest';
import type { BrowseAnswer, BrowseEntry, FolderEntry, SearchAnswer } from '../src/answers.ts';
import { MAX_RESULT_BYTES } from '../src/budget.ts';
import { renderBrowse } from '../src/contract/browse.ts';
import { renderSearch } from '../src/contract/search.ts';
import { cursorError, renderError, renderFailed, renderIndexing } from '../src/contract/status.ts';
import { BROWSE, IDENTITY, SEARCH } from '../src/lib/reference-sample.ts';

const options = { budget: { maxBytes: MAX_RESULT_BYTES, overheadBytes: 50 }, seal: () => 'CURSOR' };

function browse(answer: Partial<BrowseAnswer>, limit: number | null = null): string {
  return renderBrowse(IDENTITY, { ...BROWSE, diagnostics: [], ...answer }, limit, options).text;
}

function search(answer: Partial<SearchAnswer>, first = true): string {
  return renderSearch(IDENTITY, { ...SEARCH, partial: null, ...answer }, { first, limit: null }, options)
    .text;
}

const skills: BrowseEntry[] = Array.from({ length: 200 }, (_, i) => ({
  kind: 'skill',
  path: `skills/skill-${i}/SKILL.md`,
  browsePath: `skills/skill-${i}`,
  name: `skill-${i}`,
  description: 'Does one thing well, and says at some length when it should be used and when not. '.repeat(8),
}));

const SPACED = ' two  spaces/a.md ';
const QUOTED = '" two  spaces/a.md "';

describe('a path whose spaces would not be seen', () => {
  test('stands in quotes wherever it is listed', () => {
    const skill = { kind: 'skill', path: SPACED, browsePath: SPACED, name: 'a', description: 'b' } as const;
    const copy = { ...skill, undiscoverable: `copy of ${QUOTED}` };
    const text = browse({
      entries: [
        {
          kind: 'folder',
          path: SPACED,
          skills: 1,
          documents: 0,
          manifestPath: SPACED,
          overviewPath: SPACED,
          skill,
        },
        copy,
        { kind: 'document', path: SPACED, role: 'document' },
        { kind: 'withheld', path: SPACED, reason: 'symlink' },
      ],
      overview: { path: SPACED },
    });
    expect(text.match(/two {2}spaces/g)).toHaveLength(10);
    expect(text.replaceAll(QUOTED, '')).not.toContain('spaces');
    const found = search({ hits: [{ kind: 'skill', skill, files: [SPACED], moreFiles: 0 }] });
    expect(found.replaceAll(QUOTED, '')).not.toContain('spaces');
  });

  test('is the same in a message', () => {
    const message = `There is no file "${SPACED}" here.`;
    expect(renderError(IDENTITY, { error: { code: 'file.not_found', message } })).toContain(message);
  });
});

describe('a listing', () => {
  test('shortens descriptions before it ends a page early', () => {
    const descriptions = (text: string): string[] => text.match(/(?<= {2}description: ).+/g) ?? [];
    const twenty = descriptions(browse({ entries: skills.slice(0, 20), total: 200, description: 'x' })).slice(
      1,
    );
    expect(twenty).toHaveLength(20);
    expect(twenty[0]?.length).toBeGreaterThan(200);
    const eighty = descriptions(browse({ entries: skills.slice(0, 80), total: 200, description: 'x' })).slice(
      1,
    );
    expect(eighty).toHaveLength(80);
    expect(eighty[0]?.length).toBeLessThanOrEqual(120);
    const most = renderBrowse(IDENTITY, { ...BROWSE, entries: skills, total: 200 }, 200, options);
    expect(most.next?.[0]).toBeGreaterThan(100);
    expect(most.text).toContain(`Entries: 1–${most.next?.[0]} of 200`);
  });

  test('names the next call with what was asked', () => {
    expect(browse({ path: 'a b', total: 9 }, 4)).toMatch(
      /\nNext: browse_repo {"path":"a b","limit":4,"cursor":"CURSOR"}$/,
    );
    expect(browse({ total: 4 })).not.toContain('Next:');
  });

  test('tells of the folder once', () => {
    const later = browse({ position: 4, total: 9 });
    expect(later).toContain('Entries: 5–8 of 9');
    expect(later).not.toContain('Overview:');
    expect(later).not.toContain('Hint:');
  });

  test('does not say twice what the folder and its README both say', () => {
    const overview = { path: 'README.md', title: 'Same', summary: 'The same.' };
    const text = browse({ name: 'Same', description: 'The same.', overview, entries: [], total: 0 });
    expect(text).toContain('\nOverview: README.md\nEntries: none');
  });

  test('of nothing says so', () => {
    expect(browse({ entries: [], total: 0 })).toMatch(/\nEntries: none$/);
  });

  test('marks what is described only, a copy, hidden or withheld', () => {
    const [skill] = skills;
    if (skill?.kind !== 'skill') throw new Error('a skill');
    const text = browse({
      entries: [
        { ...skill, describedOnly: 'BUSL-1.1' },
        { ...skill, undiscoverable: 'copy of a/SKILL.md' },
        { kind: 'folder', path: 'closed', skills: 0, documents: 0, withheld: 'closed_scope' },
        { kind: 'file', path: 'a.md', role: 'invalid skill' },
      ],
    });
    expect(text).toContain('  described only (license: BUSL-1.1)\n');
    expect(text).toContain('  not listed or searched: copy of a/SKILL.md\n');
    expect(text).toContain('[folder] closed\n  withheld: closed_scope\n');
    expect(text).toContain('[file] a.md\n  role: invalid skill\n');
  });

  test('says what lies in a folder without anything to discover', () => {
    const contains = (other: FolderEntry['other']): string | undefined => {
      const entry = { kind: 'folder' as const, path: 'a', skills: 0, documents: 0 };
      return /\[folder\] a\n {2}contains: (.*)/.exec(
        browse({ entries: [other === undefined ? entry : { ...entry, other }] }),
      )?.[1];
    };
    expect(contains({ files: 4, filesOf: 'scale\nrecipe' })).toBe('4 files of scale recipe');
    expect(contains({ files: 1 })).toBe('1 file');
    expect(contains({ copies: 1 })).toBe('1 copy');
    expect(contains({ copies: 2, hidden: 1, broken: 3 })).toBe(
      '2 copies, 1 hidden skill, 3 skills with errors',
    );
    expect(contains({ withheld: 2 })).toBe('2 withheld files');
    expect(contains({})).toBe('nothing discoverable');
    expect(contains(undefined)).toBe('nothing discoverable');
  });

  test('counts the errors further down in one line', () => {
    expect(browse({ moreDiagnostics: 7, moreBelow: 'skills' })).toContain(
      'Diagnostics:\n- 7 errors below skills/; `skillquay check` lists them\n',
    );
    expect(browse({ diagnostics: BROWSE.diagnostics, moreDiagnostics: 1, moreBelow: '' })).toMatch(
      /\n- error .*\n- and 1 more error further down; `skillquay check` lists it\n/,
    );
  });

  test('shows at most ten diagnostics, then counts', () => {
    const diagnostics = Array.from({ length: 25 }, (_, i) => ({
      code: 'no_front_matter',
      severity: 'error' as const,
      path: `a/${i}/SKILL.md`,
      message: 'No front matter.',
      hint: 'Add it.',
    }));
    const lines = browse({ diagnostics }).split('\n');
    expect(lines.filter((line) => line.startsWith('- error'))).toHaveLength(10);
    expect(lines).toContain('- 15 more');
    expect(browse({ diagnostics: [], moreDiagnostics: 3 })).toContain('\nDiagnostics:\n- 3 more\n');
    expect(browse({ diagnostics, moreDiagnostics: 3 })).toContain('\n- 18 more\n');
  });

  test('shows a path that no address can name with escapes', () => {
    const text = browse({
      entries: [{ kind: 'withheld', path: 'a\nNext: x\u202e', reason: 'unaddressable_path' }],
    });
    expect(text).toContain('[withheld] a\\u{a}Next: x\\u{202e} (unaddressable_path)');
  });
});

describe('a search', () => {
  test('without hits says what to try', () => {
    expect(search({ hits: [], positions: [], more: false })).toContain(
      'Results: none\nHint: nothing here has any of these words.',
    );
    expect(search({ hits: [], positions: [], more: false, nothingToSearch: true })).toContain(
      'the query has no word',
    );
    expect(search({ hits: [], positions: [], more: false }, false)).toMatch(/\nResults: no more$/);
  });

  test('continues behind the last hit it shows', () => {
    const { next } = renderSearch(IDENTITY, SEARCH, { first: true, limit: null }, options);
    expect(next).toEqual([41_007, 17]);
    expect(
      renderSearch(IDENTITY, { ...SEARCH, more: false }, { first: true, limit: null }, options).next,
    ).toBeNull();
  });

  test('repeats query and folder in the next call', () => {
    const text = search({ query: 'say "hi"\n', path: 'marketing' });
    expect(text).toContain('\nQuery: "say \\"hi\\"\\n"\nFolder: marketing\n');
    expect(text).toMatch(
      /\nNext: search_repo {"query":"say \\"hi\\"\\n","path":"marketing","cursor":"CURSOR"}$/,
    );
  });
});

describe('without content', () => {
  test('an index in the making is worth the same call again', () => {
    const call = { tool: 'browse_repo', arguments: { path: 'a', cursor: null } };
    const status = { filesRead: 0, filesKnown: null, retryAfterSeconds: 5 };
    expect(renderIndexing(IDENTITY, status, call).split('\n').slice(-2)).toEqual([
      'Status: indexing, listing files; call again in 5 s',
      'Next: browse_repo {"path":"a"}',
    ]);
  });

  test('a failed index names code, reason and the next attempt', () => {
    const text = renderFailed(IDENTITY, { code: 'indexer.x', reason: 'It broke.', retryAfterSeconds: 30 });
    expect(text).toContain('It broke. The next attempt is in 30 s.\nCode: indexer.x');
  });

  test('an error names what to do, its code and the source', () => {
    expect(renderError(null, cursorError())).toMatch(
      /^Error: .*start again from the first page.*\nCode: request.invalid$/,
    );
    const text = renderError(IDENTITY, {
      error: { code: 'file.too_large', message: 'Too\nlarge.', sourceUrl: 'https://x.example/a' },
    });
    expect(text.split('\n').slice(-3)).toEqual([
      'Error: Too large.',
      'Code: file.too_large',
      'Source: https://x.example/a',
    ]);
    const next = { tool: 'load_skill', arguments: { path: 'a/SKILL.md' } };
    expect(renderError(IDENTITY, { error: { code: 'skill.not_found', message: 'No.', next } })).toMatch(
      /\nCode: skill.not_found\nNext: load_skill {"path":"a\/SKILL.md"}$/,
    );
  });
});
