// What decides something and stands where recovery reads no keys is not silence. Source: spec, improvement 1.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLicenceField } from '../licence.ts';
import { readSkillFile } from '../skill-file.ts';

/** A line that no strict reader takes, so that all of these files are recovered. */
const BROKEN = 'description: Does: s.';

function read(...lines: string[]) {
  return readSkillFile(`---\nname: s\n${lines.join('\n')}\n---\nBody.\n`, 's/SKILL.md');
}

/** What a SKILL.md says of its licence to whoever serves it. */
function licenceOf(...lines: string[]): 'no skill' | 'unreadable' | 'restrictive' | 'permissive' | 'silence' {
  const { value } = read(...lines);
  if (value === null) return 'no skill';
  if (value.licenseUnreadable === true) return 'unreadable';
  return (value.license === undefined ? null : readLicenceField(value.license)?.kind) ?? 'silence';
}

describe('a licence in recovered front matter', () => {
  it.each([
    ['without a blank behind its colon', 'license:Proprietary'],
    ['with a key in quotes', '"license": Proprietary'],
    ['with a key in apostrophes', "'license': Proprietary"],
    ['with a key in code marks', '`license`: Proprietary'],
    ['with emphasis', '**license:** Proprietary'],
    ['indented by a blank', ' license: Proprietary'],
    ['indented by a tab', '\tlicense: Proprietary'],
    ['indented by a blank of no width of its own', '\u00a0license: Proprietary'],
    ['with such a blank before its colon', 'license\u00a0: Proprietary'],
    ['with such a blank behind its colon', 'license:\u00a0Proprietary'],
    ['as an explicit key', '? license\n: Proprietary'],
    ['as an indented explicit key', '  ? license\n  : Proprietary'],
    ['as an item of a list', '- license: Proprietary'],
    ['as an indented item of a list', '  - license: Proprietary'],
    ['in a flow map', '{license: Proprietary, a: b}'],
    ['in an indented flow map', ' {a: b, "license" : Proprietary}'],
    ['in a map', 'metadata:\n  license: Proprietary\n  a: b'],
    ['behind a merge', '<<: {license: Proprietary}'],
    ['with an anchor', '&a license: Proprietary'],
    ['with an anchored value', 'license: &a Proprietary'],
    ['whose value means another', 'license: *a'],
    ['with a full-width colon', 'license：Proprietary'],
    ['with a small colon', ' license﹕Proprietary'],
    ['with the sign of a ratio', ' license∶ Proprietary'],
    ['in full-width letters', 'ｌｉｃｅｎｓｅ: Proprietary'],
    ['with a soft hyphen', 'li\u00adcense: Proprietary'],
    ['with an equals sign', ' license = Proprietary'],
    ['with a dash', ' license - Proprietary'],
    ['without any mark', '  license Proprietary'],
    ['in capitals', 'LICENSE: Proprietary'],
    ['with a capital', 'License: Proprietary'],
    ['in British spelling', 'licence: Proprietary'],
    ['in the plural', 'licenses: Proprietary'],
    ['with a longer name', 'license-type: Proprietary'],
    ['with the name that SPDX has for it', 'SPDX-License-Identifier: LicenseRef-Proprietary'],
    ['of words that are no key', 'License terms: Proprietary'],
    ['that is not named', 'Proprietary, all rights reserved.'],
    ['all of it behind a comment mark', 'license: # Proprietary'],
    ['behind a line separator', 'compatibility: any\u2028license: Proprietary'],
    ['behind a paragraph separator', 'compatibility: any\u2029 license:Proprietary'],
    ['behind a next-line character', 'compatibility: any\u0085license: Proprietary'],
    ['behind a lone carriage return', 'compatibility: any\rlicense: Proprietary'],
    ['behind a byte order mark', '\ufefflicense: Proprietary'],
    ['behind another value', 'compatibility: any, license: Proprietary'],
    ['behind a line of hyphens', '----\nlicense:Proprietary'],
    ['behind the directive of a document', '--- x\nlicense: Proprietary'],
    ['twice', 'license: MIT\nlicense: Proprietary'],
    ['twice, once in quotes', 'license: MIT\n"license": Proprietary'],
    ['twice, once without a blank', 'license:Proprietary\nlicense: MIT'],
    ['twice, once in capitals', 'License: Proprietary\nlicense: MIT'],
    ['twice, once indented', 'compatibility: any\n  license: Proprietary\nlicense: MIT'],
    ['twice, once with nothing', 'license:\ncompatibility: any\n license: Proprietary'],
  ])('is never silence: %s', (_, lines) => {
    const [before, behind] = [licenceOf(BROKEN, lines), licenceOf(lines, BROKEN, 'compatibility: any')];
    for (const found of [before, behind, licenceOf('compatibility: any', ...lines.split('\n'), BROKEN)])
      expect(['no skill', 'unreadable', 'restrictive']).toContain(found);
  });

  it.each([
    ['is not there', 'compatibility: any', 'silence'],
    ['is empty', 'license:\ncompatibility: any', 'silence'],
    ['only points at a file', 'license: See LICENSE', 'silence'],
    ['is only a comment', '# license: Proprietary', 'silence'],
    ['is only spoken of', 'compatibility: Reads the license of a file', 'silence'],
    ['can be read', 'license: MIT', 'permissive'],
    [
      'can be read beside one that is spoken of',
      'compatibility: Add a license: it helps\nlicense: MIT',
      'permissive',
    ],
    ['can be read beside the address of one', 'license: MIT\nlicense-url: https://x.org', 'permissive'],
    ['can be read beside a line that is no key', 'license: MIT\ncompatibility: any\nand more', 'permissive'],
  ])('is what can be read for certain where it %s', (_, lines, expected) => {
    expect(licenceOf(BROKEN, lines)).toBe(expected);
  });

  /** One way to write each part of a line that names a licence. */
  const line = fc
    .tuple(
      fc.constantFrom('', ' ', '  ', '\t', '\u00a0', '- ', '  - ', '? ', '{', '  {', '* ', '> ', '| '),
      fc.constantFrom('', '"', "'", '`', '**', '_', '['),
      fc.constantFrom('license', 'License', 'LICENSE', 'licence', 'licenses', 'ｌｉｃｅｎｓｅ'),
      fc.constantFrom('', ' ', '\t', '\u00a0'),
      fc.constantFrom(':', '：', '﹕', '∶', ' =', ':='),
      fc.constantFrom('', ' ', '\t', '\u00a0', '\n  '),
      fc.constantFrom(
        'Proprietary',
        '"Proprietary"',
        'All rights reserved.',
        'SEE MY LAWYER',
        '&a no',
        '[closed',
      ),
    )
    .map(([indent, quote, key, gap, colon, space, value]) =>
      [indent, quote, key, quote === '[' ? ']' : quote, gap, colon, space, value].join(''),
    );
  const other = fc.constantFrom(
    ...['compatibility: any', 'metadata:\n  a: b', 'allowed-tools: Read', '# a comment', '', 'x: "open'],
    ...['y: [a', 'z: >-\n  folded\n  text', 'license: MIT', 'license:', '  more', 'stray words', '- item'],
  );

  it('never becomes silence, and never permission, wherever and however one line says no', () => {
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 3 }),
        line,
        fc.array(other, { maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom('\n', '\r\n'),
        (before, said, behind, first, end) => {
          const lines = [...before, said, ...behind];
          const all = first ? [BROKEN, ...lines] : [...lines, BROKEN];
          const found = licenceOf(...all.join('\n').replaceAll('\n', end).split('\n'));
          expect(['no skill', 'unreadable', 'restrictive']).toContain(found);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('other keys in recovered front matter', () => {
  it.each([
    '"skillcdn":\n  include: [a.md]',
    'skillcdn:include',
    ' skillcdn:\n  include: [a.md]',
    'SkillCDN: x',
  ])('that say what a skill consists of leave it incomplete: %j', (lines) => {
    expect(read(BROKEN, 'compatibility: any', lines).value).toMatchObject({ incomplete: true });
  });

  it.each(['"allowed-tools": Read', 'allowed-tools:Read', ' allowed-tools: Read', 'allowed_tools: Read'])(
    'that name tools are told of: %j',
    (lines) => {
      expect(read(BROKEN, 'compatibility: any', lines).diagnostics.map(({ code }) => code)).toContain(
        'dropped_field',
      );
    },
  );
});
