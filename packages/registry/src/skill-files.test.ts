import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSkillPath, findPathConflict } from './skill-files.ts';

describe('a path is taken', () => {
  it.each([
    ['SKILL.md', 'SKILL.md'],
    ['./SKILL.md', 'SKILL.md'],
    ['scripts\\run.sh', 'scripts/run.sh'],
    ['.\\a\\b.txt', 'a/b.txt'],
    ['a b/ c.md', 'a b/ c.md'],
    ['Größe/日本.md', 'Größe/日本.md'],
    ['Größe.md'.normalize('NFD'), 'Größe.md'.normalize('NFD')],
    ['.github/x.yml', '.github/x.yml'],
    ['console.md', 'console.md'],
    ['a..b/c...d', 'a..b/c...d'],
  ])('%j as %j', (given, path) => {
    expect(checkSkillPath(given)).toEqual({ ok: true, path });
  });
});

describe('a path is refused', () => {
  it.each([
    ['', /empty/],
    ['  ', /empty/],
    ['../x', /"\.\."/],
    ['a/../../x', /"\.\."/],
    ['a\\..\\x', /"\.\."/],
    ['././a', /dots only/],
    ['.', /dots only/],
    ['a/./b', /dots only/],
    ['a/.../b', /dots only/],
    ['a//b', /empty part/],
    ['a/', /empty part/],
    ['/etc/passwd', /absolute/],
    ['\\\\server\\share', /absolute/],
    ['C:\\x', /drive/],
    ['c:x', /drive/],
    ['a\0b', /control/],
    ['a\nb', /control/],
    ['.git/config', /\.git/],
    ['a/.GIT/x', /\.git/],
    ['.git./x', /\.git/],
    ['.g\u200cit/config', /\.git/],
    ['a/.git\u200b/x', /\.git/],
    ['\ufeff.git/x', /\.git/],
    ['git~1/x', /\.git/],
    ['CON', /device/],
    ['a/nul.txt', /device/],
    ['LPT1', /device/],
    ['a./b', /dot or a space/],
    ['a /b', /dot or a space/],
    ['ab:c', /character/],
    ['what?.md', /character/],
  ])('%j', (given, reason) => {
    const checked = checkSkillPath(given);
    expect(checked.ok ? checked.path : checked.message).toMatch(reason);
    expect(checked.ok).toBe(false);
  });

  it('or comes out as it went in but for separators and one "./", whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (given) => {
        const checked = checkSkillPath(given);
        if (!checked.ok) return;
        expect(checked.path).toBe(given.replaceAll('\\', '/').replace(/^\.\//, ''));
        for (const segment of checked.path.split('/')) expect(['', '.', '..']).not.toContain(segment);
      }),
      { numRuns: 3000 },
    );
  });

  it('and its message shows nothing that hides', () => {
    const checked = checkSkillPath('\u202e/../\u0007');
    expect(checked.ok ? '' : checked.message).toContain('\\u{202e}');
  });
});

describe('paths conflict when', () => {
  it.each([
    [['a.md', 'a.md'], /twice/],
    [['a.md', 'A.md'], /one file/],
    [['é.md'.normalize('NFC'), 'é.md'.normalize('NFD')], /one file/],
    [['straße.md', 'STRASSE.md'], /one file/],
    [['a', 'a/b'], /both a file and a folder/],
    [['a/b', 'A'], /both a file and a folder/],
    [['a/x', 'A/y'], /Folders/],
  ])('%j', (paths, reason) => {
    expect(findPathConflict(paths)?.message).toMatch(reason);
  });

  it('and not otherwise', () => {
    expect(findPathConflict(['SKILL.md', 'a/b', 'a/c', 'a.b', 'ab/c', 'm2.md', 'm².md'])).toBeNull();
  });
});
