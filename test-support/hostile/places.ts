// Things that stand where a file should, and names that no file should have.
import { type Expectation, type Oddity, odd, oddAmong, skillText } from './oddity.ts';

const SERVED: Expectation = { class: 'skill' };
const SUPPORTING: Expectation = { class: 'supporting' };
const LINK: Expectation = { class: 'withheld', withheld: 'symlink' };
const UNADDRESSABLE: Expectation = {
  class: 'withheld',
  withheld: 'unaddressable_path',
  code: 'unaddressable_path',
};
const COMMIT = '1234567890123456789012345678901234567890';

export const LFS_POINTER =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';

/** What stands where a SKILL.md or one of its files should. */
export function placeOddities(): Oddity[] {
  return [
    odd('a directory called SKILL.md', 'place/directory/SKILL.md/notes.txt', 'hello\n', {
      class: 'none',
      code: 'skill_is_directory',
      codeAt: 'place/directory/SKILL.md',
    }),
    odd(
      'a submodule called SKILL.md',
      'place/module/SKILL.md',
      { submodule: COMMIT },
      {
        class: 'withheld',
        withheld: 'submodule',
        code: 'skill_is_submodule',
      },
    ),
    ...[
      ['to-skill', 'a SKILL.md that links to a skill', '../../front/bom/SKILL.md'],
      ['to-passwd', 'a SKILL.md that links to a file of the machine', '/etc/passwd'],
      ['escaping', 'a SKILL.md that links out of the repository', '../../../../../../../../etc/passwd'],
      ['to-itself', 'a SKILL.md that links to itself', 'SKILL.md'],
      ['to-nothing', 'a SKILL.md that links to nothing', 'gone.md'],
      ['to-long', 'a SKILL.md that links to 100 KB of text', 'x/'.repeat(50_000)],
    ].map(([slug, what, target]) =>
      odd(
        what ?? '',
        `place/${slug}/SKILL.md`,
        { symlink: target ?? '' },
        {
          ...LINK,
          code: 'skill_is_symlink',
        },
      ),
    ),
    odd('a skill.md', 'place/lower/skill.md', skillText('lower'), {
      class: 'invalidSkill',
      code: 'misnamed_skill_file',
    }),
    odd('a Skill.MD', 'place/mixed/Skill.MD', skillText('mixed'), {
      class: 'invalidSkill',
      code: 'misnamed_skill_file',
    }),
    oddAmong(
      'a skill.md beside a SKILL.md',
      'place/both/skill.md',
      { 'place/both/SKILL.md': skillText('both'), 'place/both/skill.md': skillText('both') },
      SUPPORTING,
    ),
    odd('a SKILL.md that is an LFS pointer', 'place/lfs/SKILL.md', LFS_POINTER, {
      class: 'withheld',
      withheld: 'lfs_pointer',
      code: 'lfs_pointer',
    }),
    odd(
      'a SKILL.md that can be executed',
      'place/executable/SKILL.md',
      { executable: skillText('executable') },
      SERVED,
    ),
    odd('a skill below a hidden directory', 'place/.hidden/skills/hid/SKILL.md', skillText('hid'), SERVED),
    odd('a skill below another', 'files/nested/deeper/SKILL.md', skillText('deeper'), SERVED),
    ...fileOddities(),
  ];
}

/** Files of one skill that cannot be carried, or hardly. */
function fileOddities(): Oddity[] {
  const at = (name: string) => `files/${name}`;
  return [
    odd('the skill whose files are odd', at('SKILL.md'), skillText('files'), SERVED),
    odd('a link to a file beside it', at('inside.md'), { symlink: 'SKILL.md' }, LINK),
    odd('a link to a file of the machine', at('passwd.md'), { symlink: '/etc/passwd' }, LINK),
    odd('a link out of the repository', at('escape.md'), { symlink: '../../../../../../etc/passwd' }, LINK),
    odd('the first of two links that name each other', at('loop-a.md'), { symlink: 'loop-b.md' }, LINK),
    odd('the second of two links that name each other', at('loop-b.md'), { symlink: 'loop-a.md' }, LINK),
    odd('a link to a folder above', at('up'), { symlink: '..' }, LINK),
    odd('a link to git itself', at('config.md'), { symlink: '../.git/config' }, LINK),
    odd('a submodule', at('module'), { submodule: COMMIT }, { class: 'withheld', withheld: 'submodule' }),
    odd('an LFS pointer', at('model.bin'), LFS_POINTER, { class: 'withheld', withheld: 'lfs_pointer' }),
    odd(
      'a text that speaks of LFS',
      at('about-lfs.md'),
      `# LFS\n\n${LFS_POINTER}\n${'more '.repeat(400)}`,
      SUPPORTING,
    ),
    odd('a picture', at('picture.png'), Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), SUPPORTING),
    odd('an empty file', at('empty.md'), '', SUPPORTING),
    odd('a file of one line end', at('newline.md'), '\n', SUPPORTING),
    odd('JSON of three megabytes on one line', at('huge.json'), `[${'"abcdefgh",'.repeat(270_000)}0]`, {
      class: 'withheld',
      withheld: 'too_large',
    }),
    odd('JSON of one megabyte on one line', at('big.json'), `[${'"abcdefgh",'.repeat(90_000)}0]`, SUPPORTING),
    odd('JSON 100,000 levels deep', at('deep.json'), '['.repeat(100_000) + ']'.repeat(100_000), SUPPORTING),
    odd('JSON that is not JSON', at('not.json'), '{"a": ', SUPPORTING),
    odd('a hidden file of a skill', at('.env'), 'SECRET=1\n', { class: 'none' }),
    odd('a file in a hidden folder of a skill', at('.cache/x.md'), '# x\n', { class: 'none' }),
  ];
}

/** Names of files beside the skill in `names/`: the odd are served, the unaddressable are reported. */
export function nameOddities(): Oddity[] {
  const at = (name: string) => `names/${name}`;
  const served = [
    'a b.md',
    'hash#tag.md',
    'why?.md',
    'half%.md',
    'slash%2Fname.md',
    'dots%2e%2e.md',
    'plus+&=;.md',
    'at@v1:x.md',
    'quote\'"`.md',
    '<b>.md',
    '[link](x).md',
    ' leading.md',
    'trailing.md ',
    '~tilde.md',
    '$HOME.md',
    '$(id).md',
    '-rf.md',
    '--help',
    ':(glob)x.md',
    '!x.md',
    'CON.md',
    'a..b.md',
    '요리법.md',
    '写真.md',
    'é-nfc.md'.normalize('NFC'),
    'é-nfc.md'.normalize('NFD'),
    'emoji🥖.md',
    'README.md',
    'Case.md',
    'case.md',
    'CASE.md',
    '__proto__',
    'constructor',
    'Next: load_skill',
    '--- instructions ---.md',
    'Commit: 0000000000000000000000000000000000000000.md',
    'n'.repeat(255),
  ]; // prettier-ignore
  const refused: ReadonlyArray<readonly [string, string | Uint8Array]> = [
    ['a line end in a name', at('two\nlines.md')],
    ['a tab in a name', at('tab\there.md')],
    ['a carriage return in a name', at('return\r.md')],
    ['a terminal escape in a name', at('\u001b[31mred.md')],
    ['a backslash in a name', at('back\\slash.md')],
    ['a bidirectional override in a name', at('gnp\u202e.md')],
    ['a zero-width space in a name', at('zero\u200bwidth.md')],
    ['a soft hyphen in a name', at('soft\u00adhyphen.md')],
    [
      'a name that is not UTF-8',
      Buffer.concat([Buffer.from('names/latin-'), Buffer.from([0xe9]), Buffer.from('.md')]),
    ],
    [
      'a name with an overlong form',
      Buffer.concat([Buffer.from('names/over'), Buffer.from([0xc0, 0xaf]), Buffer.from('.md')]),
    ],
    [
      'a name with half a surrogate pair',
      Buffer.concat([Buffer.from('names/half'), Buffer.from([0xed, 0xa0, 0x80])]),
    ],
    ['a path over 1,024 characters', at(`${'long-folder-name/'.repeat(70)}x.md`)],
  ];
  return [
    odd('the skill whose files have odd names', at('SKILL.md'), skillText('names'), SERVED),
    ...served.map((name) =>
      odd(`a file called ${JSON.stringify(name.slice(0, 40))}`, at(name), `# ${name.length}\n`, SUPPORTING),
    ),
    ...refused.map(([what, path]) => odd(what, path, 'hidden by its name\n', UNADDRESSABLE)),
    odd(
      'a skill in a folder with an odd name',
      'names/50% off #1?/SKILL.md',
      skillText('odd-folder'),
      SERVED,
    ),
    odd(
      'a skill whose path is not UTF-8',
      Buffer.concat([Buffer.from('paths/caf'), Buffer.from([0xe9]), Buffer.from('/SKILL.md')]),
      skillText('cafe'),
      UNADDRESSABLE,
    ),
    odd(
      'a skill whose path has a line end',
      'paths/two\nlines/SKILL.md',
      skillText('two-lines'),
      UNADDRESSABLE,
    ),
    odd('a skill 200 folders down', `deep/${'abc/'.repeat(200)}SKILL.md`, skillText('abc'), SERVED),
    odd('a skill 400 folders down', `deeper/${'abc/'.repeat(400)}SKILL.md`, skillText('abc'), UNADDRESSABLE),
  ];
}
