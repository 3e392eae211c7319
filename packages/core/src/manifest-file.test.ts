import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnostic } from './diagnostics.ts';
import { MAX_DOCUMENT_DIRECTORIES, MAX_EXCLUDES, MAX_MANIFEST_BYTES } from './limits.ts';
import { closedScope, isExcluded, policyFolder, readManifest } from './manifest-file.ts';

const PATH = 'marketing/SKILLCDN.md';
const REQUIRED = 'description: Campaigns.';

function read(source: string, path = PATH) {
  return readManifest(`---\n${source}\n---\nRules.\n`, path);
}

describe('a manifest', () => {
  it('needs no more than a description', () => {
    expect(read(REQUIRED)).toEqual({
      value: { description: 'Campaigns.', exclude: [] },
      diagnostics: [],
      bodyOffset: 32,
    });
  });

  it('may say more, and its paths start at its folder', () => {
    const source = [
      'name: Marketing',
      'description: |',
      '  Campaigns.',
      'documents: [docs, ., guides/all]',
      'exclude: [drafts, secret.md, a/b]',
      'language: pt-BR',
      'image: logo.png',
      'license: CC-BY-4.0',
      'metadata: { owner: acme }',
      'translations:',
      '  de: { name: Werbung, description: Kampagnen. }',
      'unknown: [left, alone]',
    ].join('\n');
    expect(read(source)).toMatchObject({
      value: {
        name: 'Marketing',
        description: 'Campaigns.',
        documents: ['marketing/docs', 'marketing', 'marketing/guides/all'],
        exclude: ['marketing/drafts', 'marketing/secret.md', 'marketing/a/b'],
        language: 'pt-BR',
        image: 'marketing/logo.png',
        license: 'CC-BY-4.0',
        metadata: { owner: 'acme' },
        translations: { de: { name: 'Werbung', description: 'Kampagnen.' } },
      },
      diagnostics: [],
    });
    expect(read(source, 'SKILLCDN.md').value).toMatchObject({
      documents: ['docs', '', 'guides/all'],
      exclude: ['drafts', 'secret.md', 'a/b'],
      image: 'logo.png',
    });
  });

  it('may list no documents, which is not the same as saying nothing', () => {
    expect(read(`${REQUIRED}\ndocuments: []`)).toMatchObject({ value: { documents: [] }, diagnostics: [] });
    expect(read(REQUIRED).value).not.toHaveProperty('documents');
  });

  it('takes the spaces of an excluded name as written', () => {
    expect(read(`${REQUIRED}\nexclude: ["trail ", " lead"]`).value?.exclude).toEqual([
      'marketing/trail ',
      'marketing/ lead',
    ]);
  });

  it('may exclude the whole of its folder', () => {
    expect(read(`${REQUIRED}\nexclude: [.]`).value?.exclude).toEqual(['marketing']);
    expect(read(`${REQUIRED}\nexclude: ['.']`, 'SKILLCDN.md').value?.exclude).toEqual(['']);
  });

  it.each([
    ['/assets/logo.svg', 'assets/logo.svg'],
    ['https://example.com/logo.png?s=1', 'https://example.com/logo.png?s=1'],
    ['HTTPS://example.com', 'HTTPS://example.com'],
  ])('may have the image %s', (image, resolved) => {
    expect(read(`${REQUIRED}\nimage: ${image}`).value?.image).toBe(resolved);
  });

  it('warns of what its body hides', () => {
    expect(readManifest(`---\n${REQUIRED}\n---\nRules\u202e.\n`, PATH)).toMatchObject({
      value: { description: 'Campaigns.' },
      diagnostics: [{ code: 'suspicious_character', line: 4, column: 6 }],
    });
  });
});

describe('a field of a manifest that cannot be used', () => {
  it.each([
    ['name: ""', 'dropped_field'],
    [`name: ${'x'.repeat(101)}`, 'dropped_field'],
    ['name: "a\\nb"', 'dropped_field'],
    ['language: not_a_tag', 'dropped_field'],
    ['image: http://example.com/a.png', 'dropped_field'],
    ['image: javascript:alert(1)', 'dropped_field'],
    ['image: //example.com/a.png', 'dropped_field'],
    ['image: ../a.png', 'dropped_field'],
    ['image: https://user@example.com/a.png', 'dropped_field'],
    ['license: [MIT]', 'unreadable_license'],
    ['metadata: x', 'dropped_field'],
    ['translations: {de: {name: ""}}', 'dropped_field'],
    ['documents: docs', 'dropped_document_directory'],
    ['documents:', 'dropped_document_directory'],
    ['documents: [../docs]', 'dropped_document_directory'],
    ['documents: [docs/]', 'dropped_document_directory'],
    ['documents: [/docs]', 'dropped_document_directory'],
    ['documents: [[docs]]', 'dropped_document_directory'],
  ])('is dropped with a warning: %s', (line, code) => {
    const { value, diagnostics } = read(`${REQUIRED}\n${line}`);
    expect(value).toMatchObject({ description: 'Campaigns.' });
    expect(diagnostics).toMatchObject([{ code, severity: 'warning', path: PATH, line: 3 }]);
  });

  it('leaves the good entries beside it', () => {
    expect(read(`${REQUIRED}\ndocuments: [docs, ../x, guides]`).value?.documents).toEqual([
      'marketing/docs',
      'marketing/guides',
    ]);
  });

  it('does not bring back the default document directory', () => {
    expect(read(`${REQUIRED}\ndocuments: none`).value?.documents).toEqual([]);
  });

  it('is what lies beyond the limit of document directories', () => {
    const list = Array.from({ length: MAX_DOCUMENT_DIRECTORIES + 1 }, (_, i) => `d${i}`).join(', ');
    const { value, diagnostics } = read(`${REQUIRED}\ndocuments: [${list}]`);
    expect(value?.documents).toHaveLength(MAX_DOCUMENT_DIRECTORIES);
    expect(diagnostics.map(({ code }) => code)).toEqual(['dropped_document_directory']);
  });

  it('is not silence where it is the licence', () => {
    expect(read(`${REQUIRED}\nlicense: [MIT]`).value).toMatchObject({ licenseUnreadable: true });
    expect(read(`${REQUIRED}\nlicense: MIT # code only`).value).toMatchObject({ licenseUnreadable: true });
    expect(read(`${REQUIRED}\nlicense: 'MIT' # SPDX`).value).toMatchObject({ license: 'MIT' });
  });
});

describe('a manifest that closes its folder', () => {
  const tooMany = Array.from({ length: MAX_EXCLUDES + 1 }, (_, i) => `e${i}`).join(', ');

  it.each([
    ['has no front matter', 'Rules.', 'no_front_matter'],
    ['has no closing line', `---\n${REQUIRED}\n`, 'unterminated_front_matter'],
    ['is not valid YAML, and is never recovered', '---\ndescription: a: b\n---\n', 'invalid_front_matter'],
    ['has an alias', '---\ndescription: &a b\nname: *a\n---\n', 'unsupported_yaml'],
    ['has a key twice', `---\n${REQUIRED}\nexclude: [a]\nexclude: [b]\n---\n`, 'duplicate_key'],
    ['holds a character that cannot be seen', '---\ndescription: a\u202eb\n---\n', 'forbidden_character'],
    ['has no description', '---\nname: a\n---\n', 'missing_description'],
    ['has a blank description', '---\ndescription: " "\n---\n', 'missing_description'],
    ['has a description that is a list', '---\ndescription: [a]\n---\n', 'invalid_description'],
    [
      'has a description that is too long',
      `---\ndescription: ${'x'.repeat(1_025)}\n---\n`,
      'invalid_description',
    ],
    ['is too large', `---\n${REQUIRED}\n---\n${'x'.repeat(MAX_MANIFEST_BYTES)}`, 'too_large'],
    ['is too large in bytes', `---\n${REQUIRED}\n---\n${'é'.repeat(MAX_MANIFEST_BYTES / 2)}`, 'too_large'],
    ['excludes something above it', `---\n${REQUIRED}\nexclude: [a, ../b]\n---\n`, 'invalid_exclude'],
    ['excludes from the root', `---\n${REQUIRED}\nexclude: [/a]\n---\n`, 'invalid_exclude'],
    ['excludes with a slash at the end', `---\n${REQUIRED}\nexclude: [a/]\n---\n`, 'invalid_exclude'],
    ['excludes with a backslash', `---\n${REQUIRED}\nexclude: ['a\\b']\n---\n`, 'invalid_exclude'],
    ['excludes an empty path', `---\n${REQUIRED}\nexclude: [""]\n---\n`, 'invalid_exclude'],
    ['excludes what is no text', `---\n${REQUIRED}\nexclude: [{a: b}]\n---\n`, 'invalid_exclude'],
    ['excludes something that is no list', `---\n${REQUIRED}\nexclude: a\n---\n`, 'invalid_exclude'],
    ['excludes nothing it names', `---\n${REQUIRED}\nexclude:\n---\n`, 'invalid_exclude'],
    ['excludes a map', `---\n${REQUIRED}\nexclude: {a: b}\n---\n`, 'invalid_exclude'],
    [
      'excludes what a comment cuts short',
      `---\n${REQUIRED}\nexclude:\n  - secret #1.md\n---\n`,
      'invalid_exclude',
    ],
    ['excludes too much', `---\n${REQUIRED}\nexclude: [${tooMany}]\n---\n`, 'invalid_exclude'],
  ])('%s', (_, text, code) => {
    const { value, diagnostics } = readManifest(text, PATH);
    expect(value).toBeNull();
    expect(diagnostics.map((one) => one.code)).toEqual([code, 'closed_scope']);
    const [why, closed] = diagnostics;
    expect(closed).toMatchObject({
      severity: 'error',
      path: PATH,
      message: expect.stringContaining('`marketing`'),
    });
    expect(closed?.message).toContain(why?.message.slice(0, 60));
  });

  it.each([
    [
      '/drafts',
      'paths start at the folder of the manifest, without a leading "/": write drafts, not /drafts.',
    ],
    ['drafts/', 'a path has no "/" at its end: write drafts, not drafts/.'],
    ['../drafts', 'a path has no "." or ".." part; it names what lies below the folder of the manifest.'],
    ['a\\b', 'a path separates its parts with "/" and has no backslash: write drafts/old.md.'],
    ['a//b', 'a path has no empty part: write drafts/old.md, not drafts//old.md.'],
    ['', 'it is empty; write a path such as drafts, or `.` for the whole folder.'],
  ])('says of an entry %j how it is written from the folder of the manifest', (entry, says) => {
    const written = JSON.stringify(entry);
    const [exclude] = read(`${REQUIRED}\nexclude: [${written}]`).diagnostics;
    expect(exclude?.message).toBe(`The \`exclude\` entry \`${entry}\` cannot be used: ${says}`);
    const [documents] = read(`${REQUIRED}\ndocuments: [${written}]`).diagnostics;
    expect(documents?.message).toBe(`The \`documents\` entry \`${entry}\` is not used: ${says}`);
  });

  it('may have up to 262,144 bytes', () => {
    const head = `---\n${REQUIRED}\n---\n`;
    expect(readManifest(head + 'x'.repeat(MAX_MANIFEST_BYTES - head.length), PATH).value).not.toBeNull();
    expect(readManifest(head + 'x'.repeat(MAX_MANIFEST_BYTES - head.length + 1), PATH).value).toBeNull();
  });

  it('need not be a text', () => {
    const why = diagnostic('not_utf8', { path: 'SKILLCDN.md', format: 'binary data' });
    expect(closedScope('SKILLCDN.md', why)).toMatchObject({
      value: null,
      diagnostics: [why, { code: 'closed_scope', message: expect.stringContaining('`/`') }],
    });
  });

  it('names the field that is the reason before those that are not', () => {
    const { diagnostics } = read('description: a #b\nexclude: [../c]');
    expect(diagnostics.at(-1)?.message).toContain('`../c`');
  });
});

describe('exclusions', () => {
  it.each([
    ['a', true],
    ['a/b', true],
    ['a/b/c.md', true],
    ['ab', false],
    ['ab/c', false],
    ['b/a', false],
    ['A/b', false],
    ['c/d.md', true],
    ['c/d.md.bak', false],
    ['c', false],
    ['*.md', true],
    ['x.md', false],
  ])('are whole segments and literal: %s', (path, excluded) => {
    expect(isExcluded(path, new Set(['a', 'c/d.md', '*.md']))).toBe(excluded);
  });

  it('may be everything, or nothing', () => {
    expect(isExcluded('a/b', new Set(['']))).toBe(true);
    expect(isExcluded('a/b', new Set())).toBe(false);
  });

  it('hold for what is below an excluded path, and only for that', () => {
    const segment = fc.constantFrom('a', 'b', 'ab', '.a', 'ä');
    const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, fc.uniqueArray(path, { maxLength: 4 }), (candidate, list) => {
        const below = list.some((entry) => candidate === entry || candidate.startsWith(`${entry}/`));
        expect(isExcluded(candidate, new Set(list))).toBe(below);
      }),
    );
  });

  it('that look like patterns are literal, with a warning', () => {
    const { value, diagnostics } = read(`${REQUIRED}\nexclude: ['*.md', 'drafts/**']`);
    expect(value?.exclude).toEqual(['marketing/*.md', 'marketing/drafts/**']);
    expect(diagnostics.map(({ code }) => code)).toEqual(['exclude_is_literal', 'exclude_is_literal']);
  });

  it('of a manifest withhold its folder', () => {
    expect(policyFolder('a/SKILLCDN.md')).toBe('a');
    expect(policyFolder('SKILLCDN.md')).toBe('');
    expect(policyFolder('a/skillcdn.md')).toBeNull();
    expect(policyFolder('a')).toBeNull();
  });
});
