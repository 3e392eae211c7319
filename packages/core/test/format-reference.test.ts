// The reference of the format names fields that the readers know, shows examples that work, and states their limits.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MAX_LICENCE_BYTES } from '../src/licence-file.ts';
import {
  DEFAULT_LIMITS,
  MAX_CONTEXT_FILE_BYTES,
  MAX_FRONT_MATTER_CHARACTERS,
  MAX_LINK_CHARACTERS,
  MAX_LINK_STEPS,
  MAX_LINK_TARGETS,
  MAX_MANIFEST_BYTES,
  MAX_SKILL_FILE_BYTES,
  MAX_TRANSLATIONS,
} from '../src/limits.ts';
import { readManifest } from '../src/manifest-file.ts';
import { readSkillFile } from '../src/skill-file.ts';

const PAGE = readFileSync(new URL('../../../docs/reference/format.md', import.meta.url), 'utf8');

interface Row {
  readonly field: string;
  readonly required: boolean;
  readonly example: string;
}

function rowsOf(section: string): Row[] {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`);
  const [own = ''] = text.split('\n## ');
  return own.split('\n').flatMap((line) => {
    const [, field = '', required, , example = ''] = line.split(/ *\| */);
    return field.startsWith('`')
      ? [
          {
            field: field.replaceAll('`', ''),
            required: required === 'yes',
            example: example.replaceAll('`', ''),
          },
        ]
      : [];
  });
}

function frontMatter(lines: readonly string[]): string {
  return `---\n${lines.join('\n')}\n---\nText.\n`;
}

const READERS = {
  'SKILL.md': {
    read: (text: string) => readSkillFile(text, 'release-notes/SKILL.md'),
    fields: [
      ...['name', 'description', 'license', 'compatibility', 'allowed-tools', 'metadata'],
      ...['skillcdn.include', 'skillcdn.translations'],
    ],
  },
  'SKILLCDN.md': {
    read: (text: string) => readManifest(text, 'marketing/SKILLCDN.md'),
    fields: [
      ...['description', 'exclude', 'name', 'documents', 'language', 'image', 'license', 'metadata'],
      'translations',
    ],
  },
};

describe.each(Object.entries(READERS))('the table of %s', (section, { read, fields }) => {
  const rows = rowsOf(section);
  const required = rows.filter((row) => row.required).map(({ example }) => example);
  const plain = read(frontMatter(required)).value;

  it('has every field', () => {
    expect(rows.map(({ field }) => field).sort()).toEqual([...fields].sort());
    expect(plain).not.toBeNull();
  });

  it.each(rows)('shows $field as it is read', ({ field, required: isRequired, example }) => {
    const others = required.filter((line) => line !== example);
    const { value, diagnostics } = read(frontMatter([...others, example]));
    expect(diagnostics).toEqual([]);
    expect(value).not.toBeNull();
    expect(example.startsWith(`${field.split('.')[0]}:`)).toBe(true);
    const without = read(frontMatter(others)).value;
    if (isRequired) expect(without).toBeNull();
    else expect(value).not.toEqual(plain);
  });
});

it('states the limits that hold', () => {
  const limits = [
    ...Object.values(DEFAULT_LIMITS),
    ...[MAX_SKILL_FILE_BYTES, MAX_MANIFEST_BYTES, MAX_LICENCE_BYTES, MAX_CONTEXT_FILE_BYTES],
    MAX_FRONT_MATTER_CHARACTERS,
    ...[MAX_LINK_CHARACTERS, MAX_LINK_TARGETS, MAX_LINK_STEPS, MAX_TRANSLATIONS],
  ];
  const stated = [...(PAGE.split('\n## Limits\n')[1] ?? '').matchAll(/^\| [^|]+ \| ([\d,]+) \|/gm)];
  expect(stated.map(([, number = '']) => Number(number.replaceAll(',', '')))).toEqual(limits);
});
