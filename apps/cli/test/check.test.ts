import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { folder, skillquay } from './command.ts';

const skill = (name: string, description = 'Does a thing.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

describe('skillquay check', () => {
  it('finds the example without fault and says what is served', () => {
    const example = fileURLToPath(new URL('../../../examples/library', import.meta.url));
    const { code, out, err } = skillquay(['check', example]);
    expect(err).toBe('');
    expect(out).toContain('0 errors, 0 warnings');
    expect(out).toContain('(not searched: copy of skills/plain-words/SKILL.md)');
    expect(out).toContain('drafts/holiday-stollen/SKILL.md');
    expect(code).toBe(0);
  });

  it('counts recovered front matter as an error, with line and column', () => {
    const dir = folder({ 'a/SKILL.md': skill('a', 'Use when: asked') });
    const { code, out } = skillquay(['check', dir, '--json']);
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(report.skills[0].facts.description).toBe('Use when: asked');
    expect(report.diagnostics).toMatchObject([
      { code: 'recovered_front_matter', severity: 'error', path: 'a/SKILL.md', line: 3 },
    ]);
  });

  it('shows the spaces of a path', () => {
    const dir = folder({ 'docs/ two  spaces.md': '# Page', 'a/SKILL.md': skill('a') });
    expect(skillquay(['check', dir]).out).toContain('\n  "docs/ two  spaces.md"\n');
  });

  it('exits with 0 on warnings, and with 1 when strict', () => {
    const dir = folder({ 'a/SKILL.md': skill('b') });
    expect(skillquay(['check', dir]).code).toBe(0);
    expect(skillquay(['check', dir, '--strict']).code).toBe(1);
  });

  it('mends a value, a name and a file name, and nothing else', () => {
    const dir = folder({
      'quote/SKILL.md': `---\nname: quote\ndescription: Use when: "asked" # really\nmetadata: {a: b}\n---\r\nBody: stays # so\n`,
      'rename-me/SKILL.md': skill('other-name'),
      'lower/skill.md': skill('lower'),
      'fine/SKILL.md': skill('fine'),
    });
    const { code, err, out } = skillquay(['check', dir, '--fix']);
    expect(out).toContain('0 errors, 0 warnings');
    expect(code).toBe(0);
    expect(err.trim().split('\n')).toHaveLength(3);
    expect(readFileSync(join(dir, 'quote/SKILL.md'), 'utf8')).toBe(
      `---\nname: quote\ndescription: "Use when: \\"asked\\" # really"\nmetadata: {a: b}\n---\r\nBody: stays # so\n`,
    );
    expect(readFileSync(join(dir, 'rename-me/SKILL.md'), 'utf8')).toBe(skill('rename-me'));
    expect(readFileSync(join(dir, 'lower/SKILL.md'), 'utf8')).toBe(skill('lower'));
    expect(readFileSync(join(dir, 'fine/SKILL.md'), 'utf8')).toBe(skill('fine'));
  });

  it('leaves a file alone that it cannot mend whole', () => {
    const broken = '---\nname: a\n- item\ndescription: Use when: asked\n---\n';
    const dir = folder({ 'a/SKILL.md': broken });
    expect(skillquay(['check', dir, '--fix']).code).toBe(1);
    expect(readFileSync(join(dir, 'a/SKILL.md'), 'utf8')).toBe(broken);
  });

  it('neither follows a link nor writes through one', () => {
    const secret = folder({ 'SKILL.md': skill('elsewhere', 'Use when: secret') });
    const dir = folder({ 'a/SKILL.md': skill('a') });
    symlinkSync(secret, join(dir, 'linked'));
    mkdirSync(join(dir, 'b'));
    symlinkSync(join(secret, 'SKILL.md'), join(dir, 'b/SKILL.md'));
    const { out } = skillquay(['check', dir, '--json', '--fix']);
    expect(out).not.toContain('secret');
    expect(JSON.parse(out).diagnostics.map(({ code }: { code: string }) => code)).toContain(
      'skill_is_symlink',
    );
    expect(readFileSync(join(secret, 'SKILL.md'), 'utf8')).toContain('Use when: secret');
  });

  it('passes over dependency folders and what git ignores', () => {
    const dir = folder({
      'a/SKILL.md': skill('a'),
      'node_modules/x/SKILL.md': skill('x'),
      'ignored/SKILL.md': skill('ignored'),
      '.gitignore': 'ignored/\n',
    });
    const report = JSON.parse(skillquay(['check', dir, '--json']).out);
    expect(report.skills.map(({ path }: { path: string }) => path)).toEqual(['a/SKILL.md']);
  });

  it('prints annotations and SARIF', () => {
    const dir = folder({ 'a/SKILL.md': 'no front matter\n' });
    expect(skillquay(['check', dir, '--format', 'github']).out).toMatch(
      /^::error file=a\/SKILL.md,line=1,.*title=no_front_matter::/,
    );
    const log = JSON.parse(skillquay(['check', dir, '--format', 'sarif']).out);
    expect(log.runs[0].results[0].ruleId).toBe('no_front_matter');
  });

  it('shows nothing of a repository that could drive a terminal', () => {
    const dir = folder({});
    writeFileSync(join(dir, 'README.md'), '# \u001b[31mred\n');
    mkdirSync(join(dir, 'a'));
    writeFileSync(join(dir, 'a', 'SKILL.md'), skill('a'));
    expect(skillquay(['check', dir]).out).not.toContain('\u001b');
  });

  it.each([
    [['check', '/does/not/exist'], /There is no folder/],
    [['check', '--format', 'xml'], /Allowed choices/],
    [['check', '--nonsense'], /unknown option/],
    [['nonsense'], /unknown command/],
  ])('answers %j with a sentence and code 64', (args, sentence) => {
    const { code, err, out } = skillquay(args);
    expect(err).toMatch(sentence);
    expect(err).not.toContain('    at ');
    expect(out).toBe('');
    expect(code).toBe(64);
  });
});
