import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIAGNOSTICS, type DiagnosticCode, diagnostic } from './diagnostics.ts';
import type { Severity } from './facts.ts';
import { forAuthor } from './for-author.ts';

const rows = Object.entries(DIAGNOSTICS);

const codes = Object.keys(DIAGNOSTICS).filter((code): code is DiagnosticCode => code in DIAGNOSTICS);

/** What any sentence of the table may need. */
function everyArgument(text: string) {
  return {
    ...{ path: '', character: text, count: text, directory: text, entry: text, feature: text, field: text },
    ...{ file: text, folder: text, format: text, key: text, length: text, limit: text, name: text },
    ...{
      license: text,
      other: text,
      phrase: text,
      purpose: text,
      reason: text,
      repeated: text,
      script: text,
    },
    ...{ size: text, what: text, where: text },
  };
}

function page(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  return [
    '# Diagnostics',
    '',
    'What `skillquay check`, the tools and the pages tell an author. A code never changes its meaning; words in braces stand for what was found.',
    '',
    '| code | severity | what is wrong | what to do |',
    '|---|---|---|---|',
    ...rows.map(
      ([code, { severity, message, hint }]) =>
        `| \`${code}\` | ${severityCell(code, severity)} | ${cell(message)} | ${cell(hint)} |`,
    ),
    '',
  ].join('\n');
}

function severityCell(code: string, severity: Severity): string {
  const toAuthor = forAuthor({ code, severity, path: '', message: '', hint: '' }).severity;
  return toAuthor === severity ? severity : `${severity}; to \`check\` an ${toAuthor}`;
}

describe('the table of diagnostics', () => {
  it('is what the reference page shows', async () => {
    await expect(page()).toMatchFileSnapshot('../../../docs/reference/diagnostics.md');
  });

  it.each(rows)('%s is one sentence or two, and one hint', (code, { message, hint }) => {
    expect(code).toMatch(/^[a-z][a-z0-9_]*$/);
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(hint).toMatch(/^[^\n]+\.$/);
  });

  it('ends every sentence once, whatever the arguments end with', () => {
    const words = fc.array(fc.constantFrom('write', 'docs/guide.md', '`a`', 'x'.repeat(150)), {
      minLength: 1,
    });
    const argument = fc.tuple(words, fc.constantFrom('', '.', '!', '?', '…')).map(([list, end]) => {
      return list.join(' ') + end;
    });
    fc.assert(
      fc.property(fc.constantFrom(...codes), argument, (code, text) => {
        const { message } = diagnostic(code, everyArgument(text));
        expect(message).toMatch(/[.!?…]$/);
        expect(message).not.toMatch(/[.!?…]\./);
      }),
    );
  });
});

describe('a diagnostic', () => {
  it('carries its place, its sentence and its hint', () => {
    expect(
      diagnostic('name_directory_mismatch', {
        path: 'a/SKILL.md',
        line: 2,
        column: 7,
        name: 'b',
        directory: 'a',
      }),
    ).toEqual({
      code: 'name_directory_mismatch',
      severity: 'warning',
      path: 'a/SKILL.md',
      line: 2,
      column: 7,
      message:
        'The name `b` differs from the directory `a`, so the skills extension does not list the skill, and some clients refuse it.',
      hint: 'Give both the same name.',
    });
  });

  it('leaves out a place that is not known', () => {
    expect(Object.keys(diagnostic('missing_name', { path: '' }))).toEqual([
      'code',
      'severity',
      'path',
      'message',
      'hint',
    ]);
  });

  it('writes numbers with separators', () => {
    expect(diagnostic('too_large', { path: 'a', size: 1_600_000, limit: 1_048_576 }).message).toContain(
      '1,600,000',
    );
  });

  it('shows what comes from a repository on one line, bounded, with nothing invisible in it', () => {
    const { message } = diagnostic('dropped_field', {
      path: 'a',
      field: `x\n\u202e${'y'.repeat(900)}`,
      reason: 'is odd',
    });
    expect(message).toContain('`x \\u{202e}yyy');
    expect(message.length).toBeLessThan(300);
  });

  it('does not read an argument as a template', () => {
    expect(diagnostic('dropped_field', { path: 'a', field: '{reason}', reason: '$& odd' }).message).toBe(
      '`{reason}` is not used: it $& odd.',
    );
  });
});
