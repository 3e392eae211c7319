import { describe, expect, it } from 'vitest';
import { readBrokenLicence } from './broken-licence.ts';

const UNREADABLE = { licenseUnreadable: true };

describe('a SKILL.md that is no skill', () => {
  it.each([
    ['has no name', '---\nlicense: Proprietary\n---\n', { license: 'Proprietary' }],
    ['has a licence that is a list', '---\nlicense: [MIT]\n---\n', UNREADABLE],
    ['has no description, and needs recovery', '---\nname: a: b\nlicense: MIT\n---\n', { license: 'MIT' }],
    ['has lost its licence to recovery', '---\nname: a: b\nlicense:Proprietary\n---\n', UNREADABLE],
    ['has nothing but such a licence', '---\nlicense:Proprietary\n---\n', UNREADABLE],
    ['has a tag', '---\nname: !x s\nlicense: "Proprietary"\n---\n', { license: 'Proprietary' }],
    ['has a key twice', '---\nname: s\nname: t\nlicense: MIT\n---\n', { license: 'MIT' }],
    ['has that key twice', '---\nlicense: MIT\nlicense: Proprietary\n---\n', UNREADABLE],
    ['has it indented before all others', '---\n license: MIT\nname: s\n---\n', UNREADABLE],
    [
      'has a character that cannot be seen',
      '---\nname: s\u202e\nlicense: Proprietary\n---\n',
      { license: 'Proprietary' },
    ],
    ['has one in the licence', '---\nlicense: MIT\u202e\n---\n', UNREADABLE],
    ['is a flow map', '---\n{name: s, license: Proprietary}}\n---\n', UNREADABLE],
    ['has no closing line', '---\nname: s\nlicense: Proprietary\n\n# Title\n', { license: 'Proprietary' }],
    [
      'has an empty line and no closing one',
      '---\nname: s\n\nlicense: Proprietary\n\nBody.\n',
      { license: 'Proprietary' },
    ],
    ['has no opening line', 'name: s\nlicense: Proprietary\n---\nBody.\n', { license: 'Proprietary' }],
    [
      'has an empty line before it',
      '\n---\nname: s\nlicense: Proprietary\n---\n',
      { license: 'Proprietary' },
    ],
    ['has one that is indented', '  ---\nname: s\nlicense: Proprietary\n---\n', { license: 'Proprietary' }],
    [
      'has too long an opening line',
      '-----\nname: s\nlicense: Proprietary\n-----\n',
      { license: 'Proprietary' },
    ],
    ['has CRLF', '---\r\nname: !x s\r\nlicense: Proprietary\r\n---\r\n', { license: 'Proprietary' }],
    [
      'has very much',
      `---\nname: !x s\n${'a: b\n'.repeat(9_000)}license: Proprietary\n---\n`,
      { license: 'Proprietary' },
    ],
  ])('says what it says where it %s', (_, text, expected) => {
    expect(readBrokenLicence(text)).toEqual(expected);
  });

  it.each([
    ['is empty', ''],
    ['has no front matter', '# Title\n\nLicense: see below.\n'],
    ['has prose alone', 'This skill has a license.\n\nlicense: of no use\n'],
    ['has no licence', '---\nname: !x s\n---\nlicense: Proprietary\n'],
    ['has an empty one', '---\nname: !x s\nlicense:\n---\n'],
    ['has it in a comment', '---\nname: !x s\n# license: Proprietary\n---\n'],
    ['has it below a heading', '---\nname: s\n\n# Title\n\nlicense: Proprietary\n'],
  ])('says nothing where it %s', (_, text) => {
    expect(readBrokenLicence(text)).toEqual({});
  });
});
