import fc from 'fast-check';
import spdx from 'spdx-license-list/full';
import { beforeAll, describe, expect, it } from 'vitest';
import { isPermissiveId } from './licence.ts';
import { type LicenceMatcher, loadLicenceMatcher } from './licence-text.ts';

let read: LicenceMatcher;
beforeAll(async () => {
  read = await loadLicenceMatcher();
});

const UNRECOGNISED = { kind: 'restrictive', label: 'unrecognised' };

function textOf(id: string): string {
  const text = spdx[id]?.licenseText;
  if (text === undefined) throw new Error(`no ${id}`);
  return text;
}

function mit(holder = 'Copyright (c) 2025 Ada Lovelace'): string {
  return textOf('MIT').replace(/^Copyright.*$/m, holder);
}

const COMMON = [
  ...[
    'MIT',
    'MIT-0',
    'Apache-2.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    '0BSD',
    'ISC',
    'Zlib',
    'BSL-1.0',
    'MPL-2.0',
  ],
  ...[
    'EPL-2.0',
    'GPL-2.0',
    'GPL-3.0',
    'LGPL-2.1',
    'AGPL-3.0',
    'EUPL-1.2',
    'Unlicense',
    'CC0-1.0',
    'CC-BY-3.0',
  ],
  ...[
    'CC-BY-4.0',
    'CC-BY-SA-3.0',
    'CC-BY-SA-4.0',
    'Artistic-2.0',
    'MS-PL',
    'OFL-1.1',
    'UPL-1.0',
    'BlueOak-1.0.0',
  ],
];

describe('texts as published', () => {
  it.each(COMMON)('%s is permissive', (id) => {
    expect(read(textOf(id))).toEqual({ kind: 'permissive', label: id });
  });

  it('the LGPL with the GPL below it is both', () => {
    expect(read(textOf('LGPL-3.0'))).toEqual({ kind: 'permissive', label: 'LGPL-3.0 AND GPL-3.0' });
  });

  it.each([
    ...[
      'CC-BY-NC-4.0',
      'CC-BY-NC-SA-4.0',
      'CC-BY-ND-4.0',
      'CC-BY-NC-ND-4.0',
      'BUSL-1.1',
      'SSPL-1.0',
      'Elastic-2.0',
    ],
    ...['PolyForm-Noncommercial-1.0.0', 'JSON', 'X11', 'BSD-4-Clause', 'Pixar', 'WTFPL'],
  ])('%s is restrictive under its name', (id) => {
    expect(read(textOf(id))).toEqual({ kind: 'restrictive', label: id });
  });

  // The whole list, so that no text is taken for a more generous one.
  it('no text of the SPDX list that may not be passed on is permissive', () => {
    const wrong = Object.keys(spdx).filter(
      (id) => !isPermissiveId(id) && read(textOf(id)).kind === 'permissive' && !SAME_TERMS.has(id),
    );
    expect(wrong).toEqual([]);
  });
});

/** Identifiers of texts that are, word for word, another licence that may be passed on. */
const SAME_TERMS = new Set<string>([]);

describe('other printings of the same licence', () => {
  it.each([
    ['no heading', mit().replace('MIT License\n\n', '')],
    ['a heading in Markdown', mit().replace('MIT License', '# The **MIT** License (MIT)')],
    [
      'several holders',
      mit('Copyright (c) 2019-2025 A. Lovelace <ada@example.com>\nCopyright 2020 Example, Inc.'),
    ],
    ['all rights reserved', mit('© Example Corporation. All rights reserved.')],
    ['a comment', mit().replace(/^/gm, '// ')],
    ['a quotation', mit().replace(/^/gm, '> ')],
    ['Windows line ends', `\ufeff${mit().replaceAll('\n', '\r\n')}`],
    ['curly quotes', mit().replace(/"(\w[^"]*)"/g, '“$1”')],
    ['an identifier', `SPDX-License-Identifier: MIT\n\n${mit()}`],
    ['a sentence that says so', `This project is licensed under the MIT License.\n\n${mit()}`],
    ['British spelling', mit().replace('MIT License', 'MIT Licence')],
  ])('MIT with %s', (_, text) => {
    expect(read(text)).toEqual({ kind: 'permissive', label: 'MIT' });
  });

  const [terms = '', appendix = ''] = textOf('Apache-2.0').split('END OF TERMS AND CONDITIONS');
  it.each([
    ['without its appendix', terms],
    ['up to the end of its terms', `${terms}END OF TERMS AND CONDITIONS\n`],
    [
      'with the notice filled in',
      textOf('Apache-2.0').replace('[yyyy] [name of copyright owner]', '2025 Example, Inc.'),
    ],
    [
      'with a copyright line above',
      `Copyright (c) 2026 EXAMPLE CORPORATION. All rights reserved.\n\n${terms}`,
    ],
    ['as its notice alone', appendix.slice(appendix.indexOf('Copyright'))],
  ])('Apache-2.0 %s', (_, text) => {
    expect(read(text)).toEqual({ kind: 'permissive', label: 'Apache-2.0' });
  });

  it('BSD-3-Clause with names in the place of holders', () => {
    const text = textOf('BSD-3-Clause')
      .replace('the copyright holder nor', 'Example, Inc. nor')
      .replaceAll('COPYRIGHT HOLDERS AND CONTRIBUTORS', 'REGENTS AND CONTRIBUTORS');
    expect(read(text)).toEqual({ kind: 'permissive', label: 'BSD-3-Clause' });
  });

  it('the terms of CC BY without what Creative Commons prints around them', () => {
    const text = textOf('CC-BY-4.0');
    const from = text.search(/By exercising the Licensed Rights/i);
    const to = text.search(/^\s*Creative Commons is not a party/m);
    expect(read(`Attribution 4.0 International\n\n${text.slice(from, to)}`).kind).toBe('permissive');
  });
});

describe('notices in the place of a text', () => {
  it.each([
    ['SPDX-License-Identifier: Apache-2.0', 'Apache-2.0'],
    ['Copyright (c) 2025 Ada\nSPDX-License-Identifier: MIT OR Apache-2.0\n', 'MIT OR Apache-2.0'],
    ['This work is licensed under CC BY 4.0.\nhttps://creativecommons.org/licenses/by/4.0/\n', 'CC-BY-4.0'],
    [
      '# License\n\nThis work is licensed under the Creative Commons Attribution-ShareAlike 4.0\nInternational License. To view a copy of this license, visit\nhttp://creativecommons.org/licenses/by-sa/4.0/.',
      'CC-BY-SA-4.0',
    ],
    ['MIT License\n\nCopyright (c) 2025 Ada Lovelace', 'MIT'],
  ])('%j', (text, label) => {
    expect(read(text)).toEqual({ kind: 'permissive', label });
  });
});

describe('several licences in one file', () => {
  it('are permissive where every part is', () => {
    expect(read(`${mit()}\n\n---\n\n${textOf('Apache-2.0')}`)).toEqual({
      kind: 'permissive',
      label: 'MIT AND Apache-2.0',
    });
  });

  it('are restrictive where one part is', () => {
    expect(read(`${mit()}\n\n---\n\n${textOf('CC-BY-NC-4.0')}`).kind).toBe('restrictive');
    expect(read(`${mit()}\n\n---\n\nThe images belong to Example, Inc.`)).toEqual(UNRECOGNISED);
  });
});

describe('texts that look like a licence and are not', () => {
  const nonCommercial = 'The Software may be used for non-commercial purposes only.';
  it.each([
    [
      'MIT with an oath',
      mit().replace(/\n\nTHE SOFTWARE/, '\n\nThe Software shall be used for Good, not Evil.$&'),
    ],
    ['MIT with a condition', mit().replace('\n\nTHE SOFTWARE', `\n\n${nonCommercial}\n\nTHE SOFTWARE`)],
    ['a condition above', `${nonCommercial}\n\n${mit()}`],
    ['a condition below', `${mit()}\n\n${nonCommercial}`],
    ['a condition beside the holder', mit('Copyright (c) 2025 Ada. Non-commercial use only.')],
    ['a condition in the heading', mit().replace('MIT License', 'MIT License (non-commercial)')],
    ['a condition in a word', mit().replace('any person', 'any non-commercial person')],
    ['the Commons Clause', `"Commons Clause" License Condition v1.0\n\n${mit()}`],
    ['MIT that may not be sold', mit().replace(', and/or sell', '')],
    ['MIT without a copy right', mit().replace('use, copy, modify', 'use, modify')],
    ['MIT turned round', mit().replace('is hereby granted', 'is hereby not granted')],
    ['MIT without its warranty', mit().replace(/\n\nTHE SOFTWARE[\s\S]*$/, '\n')],
    [
      'Apache with a condition',
      textOf('Apache-2.0').replace('3. Grant of Patent', `${nonCommercial}\n\n3. Grant of Patent`),
    ],
    [
      'Apache with a field of use',
      textOf('Apache-2.0').replace('no-charge, royalty-free', 'no-charge, research-only'),
    ],
    [
      'Apache with a rider',
      `${textOf('Apache-2.0')}\n\nAs an exception, no part may be used to train models.`,
    ],
    ['an address of other terms', `${mit()}\n\nhttps://creativecommons.org/licenses/by-nc/4.0/`],
    ['rights reserved', '© 2025 Example, PBC. All rights reserved.'],
    [
      'a proprietary notice',
      'Copyright 2025 Example, Inc.\n\nThis software is proprietary and confidential.',
    ],
    ['an identifier with a contradiction', 'SPDX-License-Identifier: MIT\n\nFor evaluation only.'],
    ['an unknown identifier', 'SPDX-License-Identifier: LicenseRef-Example'],
    ['a pointer', 'See the LICENSE file in the repository root.'],
    ['prose', 'You can do what you like with this, but ask me first.'],
    ['nothing', ' \n'],
    ['more than is read', `${mit()}${'\n'.repeat(64 * 1024)}`],
  ])('%s', (_, text) => {
    expect(read(text).kind).toBe('restrictive');
  });
});

describe('a limit where only names and notices are looked for', () => {
  it.each([
    ['for whom, in the place of a small word', mit().replace('any person', 'academic person')],
    ['for whom, in a word that names holders', mit().replace('any person', 'any university person')],
    ['for whom, in a word of titles', mit().replace('any person', 'any licensed person')],
    ['for what', textOf('ISC').replace('any purpose', 'teaching purpose')],
    ['in which medium', textOf('Apache-2.0').replace('in any medium', 'in printed medium')],
    ['as a tag', mit().replace('free of charge,', 'free of charge, <for noncommercial use only>')],
    ['as a tag of HTML', mit().replace('\n\nTHE SOFTWARE', '\n\n<p for hobby use>\n\nTHE SOFTWARE')],
    ['by striking out', mit().replace(', and/or sell', '~~, and/or sell~~')],
    ['by striking out in HTML', mit().replace(', and/or sell', '<s>, and/or sell</s>')],
    ['in time, beside the holder', mit('Copyright 2025 Ada (valid until March 2026)')],
    ['on consent, below the holder', mit('Copyright 2025 Ada\nContact Ada before deploying')],
    ['of people, beside the holder', mit('Copyright 2025 Ada. Excluding Example, Inc.')],
    ['in German', mit('Copyright 2025 Ada. Kommerzielle Nutzung verboten.')],
    ['in Spanish', mit('Copyright 2025 Ada. Uso comercial prohibido.')],
    ['in Russian', mit('Copyright 2025 Ada. Только для дома.')],
    ['in Chinese', mit('Copyright (c) 2025 Ada 禁止商业使用')],
    ['in Chinese, on a line', mit('Copyright (c) 2025 Ada\n仅限个人使用')],
    ['in Korean', mit('Copyright (c) 2025 Ada 상업적 사용 금지')],
    ['in Chinese, in the title', mit().replace('MIT License', 'MIT License（仅限非商业用途）')],
    ['in Chinese, above', `仅限个人使用\n\n${mit()}`],
    ['for whom, above', `For schools and charities\n\n${mit()}`],
    ['of places, above', `Void in Germany\n\n${mit()}`],
    ['in another file', `${mit()}\nSee LICENSE.commercial for the terms.\n`],
    [
      'behind the address of Creative Commons',
      'This work is licensed under CC BY 4.0.\nTo view a copy of this license, visit https://creativecommons.org/licenses/by/4.0/ or send a letter to Creative Commons for permission, which any commercial use requires.',
    ],
    ['for whom, in capitals', mit('COPYRIGHT 2025 ADA. FOR SCHOOLS')],
    ['in short', mit("Copyright 2025 Ada. Don't share.")],
    [
      'in the place of what stands around the terms',
      textOf('Apache-2.0').replace(
        'We also recommend that a file or class name',
        'Every installation needs paying members at Ada, whose file or class name',
      ),
    ],
    ['to one', 'This software is licensed to MIT.'],
    ['of versions', 'Versions before 2020 are licensed under the MIT License.'],
    ['of parts', 'Portions of this software are licensed under the MIT License.'],
    ['of what was', 'This project was licensed under the MIT License.'],
    ['of what will be', 'This project will be licensed under the MIT License.'],
    ['of what never is', 'This project is never licensed under the MIT License.'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual(UNRECOGNISED);
  });

  it.each([
    ['names in other letters', mit('Copyright (c) 2025 王小明, 山田 太郎')],
    ['a name for whose contributors they are', textOf('BSD-3-Clause').replace('its contrib', 'Ada contrib')],
    ['a tag that breaks a line', mit().replace('free of charge,', 'free of charge,<br/>')],
    [
      'the address of Creative Commons',
      'This work is licensed under CC BY 4.0.\nTo view a copy of this license, visit https://creativecommons.org/licenses/by/4.0/ or send a letter to Creative Commons, PO Box 1866, Mountain View, CA 94042, USA.',
    ],
  ])('is not limited by %s', (_, text) => {
    expect(read(text).kind).toBe('permissive');
  });
});

describe('any text', () => {
  const id = fc.constantFrom(...COMMON);

  it('has an answer', () => {
    const part = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      id.map((one) => textOf(one).slice(0, 900)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
        expect(read(parts.join('\n')).label).not.toBe('');
      }),
      { numRuns: 60 },
    );
  });

  // Each took two seconds where the end of a word was looked for from every character of it.
  it('of a single word costs no more than another', () => {
    const half = 30_000;
    for (const mark of ['©', 'é', 'www.', "a'", 'a.', '&', '[year']) {
      const word = mark.repeat(Math.floor(half / mark.length) - 1);
      expect(read(`${word}${textOf('GPL-3.0').slice(0, half)}`)).toEqual(UNRECOGNISED);
    }
  }, 5_000);

  it('means the same rewrapped, in capitals, and with other names and years', () => {
    const change = fc.record({
      width: fc.integer({ min: 31, max: 400 }),
      capitals: fc.boolean(),
      indent: fc.constantFrom('', '  ', '\t', ' * ', '# '),
      year: fc.integer({ min: 1970, max: 2040 }),
      name: fc.constantFrom(
        'Ada Lovelace',
        'Example, Inc.',
        'the widget authors',
        'octo-cat',
        'Zoë Müller <z@example.com>',
      ),
    });
    fc.assert(
      fc.property(id, change, (one, { width, capitals, indent, year, name }) => {
        const wrapped = `Copyright (c) ${year} ${name}\n\n${textOf(one)}`
          .split(/\n{2,}/)
          .map((paragraph) => wrap(paragraph, width, indent))
          .join('\n\n');
        expect(read(capitals ? wrapped.toUpperCase() : wrapped)).toEqual({ kind: 'permissive', label: one });
      }),
      { numRuns: 40 },
    );
  });

  // Where a line ends in the name of a holder, at "Inc.", before an address, or at the hyphen of "Grant- Subject".
  it.each([33, 34, 40])('means the same in lines of %i characters', (width) => {
    for (const one of COMMON) {
      const lines = textOf(one)
        .split(/\n{2,}/)
        .map((paragraph) => wrap(paragraph, width, ''))
        .join('\n\n');
      expect([one, read(lines).label, read(lines.toUpperCase()).label]).toEqual([one, one, one]);
    }
  });

  const restriction = fc.constantFrom(
    'Commercial use requires a separate agreement.',
    'This software may not be used for training models.',
    'For internal evaluation only.',
    'You must not redistribute modified versions.',
    'Use in military systems is prohibited.',
    'Except for employees of Example, Inc., no rights are granted.',
  );

  it('with a restriction added anywhere is restrictive', () => {
    fc.assert(
      fc.property(id, restriction, fc.double({ min: 0, max: 1, noNaN: true }), (one, sentence, where) => {
        const paragraphs = textOf(one).split(/\n{2,}/);
        paragraphs.splice(Math.round(where * paragraphs.length), 0, sentence);
        expect(read(paragraphs.join('\n\n')).kind).toBe('restrictive');
      }),
      { numRuns: 60 },
    );
  });

  it('without one of its paragraphs is that licence, one with fewer words that it then is, or unrecognised', () => {
    const becomes = new Map([
      ['MIT', ['MIT-0']],
      ['ISC', ['0BSD']],
      ['BSD-3-Clause', ['BSD-2-Clause']],
      ['BSD-2-Clause', ['BSD-1-Clause']],
    ]);
    for (const one of [
      ...becomes.keys(),
      'Apache-2.0',
      'Zlib',
      'Unlicense',
      'CC-BY-3.0',
      'MS-PL',
      'OFL-1.1',
    ]) {
      const paragraphs = textOf(one).split(/\n{2,}/);
      for (let i = 0; i < paragraphs.length; i += 1) {
        const { kind, label } = read(paragraphs.filter((_, index) => index !== i).join('\n\n'));
        if (kind === 'permissive') expect([one, ...(becomes.get(one) ?? [])]).toContain(label);
      }
    }
  });
});

function wrap(paragraph: string, width: number, indent: string): string {
  const lines = [''];
  for (const word of paragraph.split(/\s+/)) {
    if (lines.at(-1) !== '' && `${lines.at(-1)} ${word}`.length > width) lines.push('');
    lines[lines.length - 1] = `${lines.at(-1)} ${word}`.trim();
  }
  return lines.map((line) => `${indent}${line}`).join('\n');
}
