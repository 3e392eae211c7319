import { type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { BIN, folder, skillquay } from './command.ts';
import { inSession } from './command-session.ts';

const skill = (name: string, description = 'Does a thing.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;

describe('skillquay check', () => {
  it('finds the example without fault and says what is served', () => {
    const example = fileURLToPath(new URL('../../../examples/library', import.meta.url));
    const { code, out, err } = skillquay(['check', example]);
    expect(err).toBe('');
    expect(out).toContain(': 7 skills and 1 copy, 4 supporting files, 5 documents,');
    expect(out).toMatch(/\n\n6 of 7 skills are served, 1 described only; 0 errors, 0 warnings\n$/);
    expect(out).not.toContain('What a client is told');
    expect(skillquay(['check', example, '--verbose']).out).toContain('| To use a skill:');
    expect(out).toContain('(not searched: copy of skills/plain-words/SKILL.md)');
    expect(out).toContain('drafts/holiday-stollen/SKILL.md');
    expect(code).toBe(0);
  });

  it('says under which licenses skills are served, and which file keeps others at their source', () => {
    const dir = folder({
      LICENSE: 'All rights reserved.\n',
      'a/SKILL.md': skill('a'),
      'b/SKILL.md': skill('b').replace('---\n\n', 'license: MIT\n---\n\n'),
      'docs/page.md': '# Page\n',
      'broken/SKILL.md': 'Just text.\n',
    });
    const { out, code } = inSession(['check', dir, '--verbose']);
    expect(out).toContain('\nLicenses (2):\n');
    expect(out).toContain('  unrecognised  1 skill, described only  said by LICENSE\n');
    expect(out).toContain('  MIT  1 skill, served  said by license of b/SKILL.md\n');
    expect(out).toMatch(/a\/SKILL\.md .*\[license: unrecognised\] {2}\(described only\)/);
    expect(out).toContain('  docs/page.md  restrictive_license: unrecognised\n');
    expect(out).toMatch(
      /info {2}a\/SKILL\.md .*unrecognised \(said by LICENSE\), keeps .*\[described_only\]/,
    );
    expect(out).toContain('  broken/SKILL.md  no_front_matter\n');
    expect(out).toMatch(/1 of 3 skills are served, 1 described only; 1 error/);
    expect(code).toBe(1);
    const report = JSON.parse(inSession(['check', dir, '--json']).out);
    expect(report.licences).toEqual([
      { licence: { kind: 'restrictive', label: 'unrecognised' }, skills: 1, where: ['LICENSE'] },
      { licence: { kind: 'permissive', label: 'MIT' }, skills: 1, where: ['license of b/SKILL.md'] },
    ]);
    expect(report.skills[0]).toMatchObject({ describedOnly: true, licence: { where: 'LICENSE' } });
  });

  it('counts recovered front matter as an error, with line and column', () => {
    const dir = folder({ 'a/SKILL.md': skill('a', 'Use when: asked') });
    const { code, out } = inSession(['check', dir, '--json']);
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(report.skills[0].facts.description).toBe('Use when: asked');
    expect(report.diagnostics).toMatchObject([
      { code: 'recovered_front_matter', severity: 'error', path: 'a/SKILL.md', line: 3 },
    ]);
  });

  it('shows the spaces of a path', () => {
    const dir = folder({ 'docs/ two  spaces.md': '# Page', 'a/SKILL.md': skill('a') });
    expect(inSession(['check', dir]).out).toContain('\n  "docs/ two  spaces.md"\n');
  });

  it('names at the end what is not served and what to mend, the worst first', () => {
    const dir = folder({
      'a/SKILL.md': skill('b'),
      'broken/SKILL.md': 'Just text.\n',
      'lower/skill.md': skill('lower'),
      'tabs/SKILL.md': '---\nname: tabs\ndescription: Does tabs.\nmetadata:\n\ta: b\n---\n',
      'agents/reviewer.md': skill('reviewer'),
      'README.md': skill('readme'),
      'notes.md': '---\ntitle: Notes\n---\n',
    });
    const { out } = inSession(['check', dir]);
    const [, ending = ''] = out.split('\nNot served (2):\n');
    expect(ending.split('\n').map((line) => /^ {2}(?:error|warning|info) {2}\S+|.*/.exec(line)?.[0])).toEqual(
      [
        '  broken/SKILL.md  no_front_matter',
        '  lower/skill.md  misnamed_skill_file',
        '',
        'To mend (5):',
        '  error  broken/SKILL.md:1',
        '  error  lower/skill.md',
        '  error  tabs/SKILL.md:5:1',
        '  warning  a/SKILL.md:2:7',
        '  warning  tabs/SKILL.md:4:10',
        '',
        '2 of 4 skills are served; 3 errors, 2 warnings',
        '',
      ],
    );
    expect(ending).toMatch(/tabs\/SKILL.*Indent with spaces\. \[/);
    expect(out).toMatch(/\nNoted \(1\):\n {2}info {2}agents\/reviewer\.md:1 .*\[misplaced_skill\]\n/);
  });

  it('counts as the pages and the tools do', () => {
    const dir = folder({ 'a/SKILL.md': skill('a'), 'b/a/SKILL.md': skill('a'), '.x/c/SKILL.md': skill('c') });
    expect(inSession(['check', dir]).out).toMatch(/: 1 skill and 1 copy and 1 hidden, .*\n/);
  });

  it('is an error where nothing is even named like a skill', () => {
    const empty = skillquay(['check', folder({ 'README.md': '# Hello\n' })]);
    expect(empty.code).toBe(1);
    expect(empty.out).toMatch(/No `SKILL\.md` lies in this folder or below it\. A skill is a folder with/);
    expect(empty.out).toMatch(/\nNo skill is served; 1 error, 0 warnings\n$/);
    const excluded = folder({
      'SKILLCDN.md': '---\ndescription: Ours.\nexclude: [a]\n---\n',
      'a/SKILL.md': skill('a'),
    });
    expect(skillquay(['check', excluded]).out).not.toContain('no_skills');
  });

  it('says that it reads working folders when it is given a bare repository', () => {
    const { code, err } = skillquay(['check', repository({ 'a/SKILL.md': skill('a') }).dir]);
    expect([code, err]).toEqual([64, expect.stringMatching(/is a bare repository.*clone it/)]);
  });

  it('exits with 0 on warnings, and with 1 when strict', () => {
    const dir = folder({ 'a/SKILL.md': skill('b') });
    expect(inSession(['check', dir]).code).toBe(0);
    expect(inSession(['check', dir, '--strict']).code).toBe(1);
  });

  it('mends a value, a name and a file name, and nothing else', () => {
    const dir = folder({
      'quote/SKILL.md': `---\nname: quote\ndescription: Use when: "asked" # really\nmetadata: {a: b}\n---\r\nBody: stays # so\n`,
      'rename-me/SKILL.md': skill('other-name'),
      'lower/skill.md': skill('lower'),
      'fine/SKILL.md': skill('fine'),
    });
    const { code, err, out } = inSession(['check', dir, '--fix']);
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

  it('leaves comments, names and lists to their author, and is done after one run', () => {
    const text =
      '---\nname: c1 # the name\ndescription: A thing # of note\nlicense: MIT # see LICENSE\nallowed-tools: [Read, Write]\n---\n';
    const dir = folder({ 'c1/SKILL.md': text });
    inSession(['check', dir, '--fix']);
    const fixed = text.replace('A thing # of note', '"A thing # of note"');
    expect(readFileSync(join(dir, 'c1/SKILL.md'), 'utf8')).toBe(fixed);
    inSession(['check', dir, '--fix']);
    expect(readFileSync(join(dir, 'c1/SKILL.md'), 'utf8')).toBe(fixed);
  });

  it('keeps the mode of a file it mends and the content under its other names', () => {
    const broken = skill('a', 'Use when: asked');
    const dir = folder({ 'a/SKILL.md': broken });
    chmodSync(join(dir, 'a/SKILL.md'), 0o640);
    const other = join(folder({}), 'other.md');
    linkSync(join(dir, 'a/SKILL.md'), other);
    expect(inSession(['check', dir, '--fix']).code).toBe(0);
    expect(statSync(join(dir, 'a/SKILL.md')).mode & 0o777).toBe(0o640);
    expect(readFileSync(other, 'utf8')).toBe(broken);
  });

  it('leaves nothing behind when it is interrupted, nor what a killed run left', async () => {
    const tmp = folder({ 'skillquay-private-999999999-x/secret': 'of a run that was killed' });
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const child = spawn(process.execPath, [BIN, 'check', dir], { env: { ...process.env, TMPDIR: tmp } });
    const named = () => readdirSync(tmp).filter((name) => name.startsWith('skillquay-private-'));
    await expect
      .poll(() => named().some((name) => name.includes(String(child.pid))), { interval: 2, timeout: 20_000 })
      .toBe(true);
    child.kill('SIGINT');
    await once(child, 'close');
    expect(named()).toEqual([]);
  });

  it('is told by its code whether or not anybody reads what it prints', async () => {
    const child = spawn(process.execPath, [BIN, 'check', folder({ 'a/SKILL.md': skill('a') })]);
    let err = '';
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(err).toBe('');
  });

  it('ends with a code of its own when what it prints cannot be written', () => {
    const dir = folder({ 'a/SKILL.md': skill('a') });
    const unwritable = openSync(join(dir, 'a/SKILL.md'), 'r');
    const stdio: StdioOptions = ['ignore', unwritable, 'pipe'];
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'check', dir], { stdio });
    closeSync(unwritable);
    expect(stderr.toString()).toMatch(/^skillquay: what was found cannot be printed: .+\n$/);
    expect(status).toBe(74);
  });

  it('leaves a file alone that it cannot mend whole', () => {
    const broken = '---\nname: a\n- item\ndescription: Use when: asked\n---\n';
    const dir = folder({ 'a/SKILL.md': broken });
    expect(inSession(['check', dir, '--fix']).code).toBe(1);
    expect(readFileSync(join(dir, 'a/SKILL.md'), 'utf8')).toBe(broken);
  });

  it('neither follows a link nor writes through one', () => {
    const secret = folder({ 'SKILL.md': skill('elsewhere', 'Use when: secret') });
    const dir = folder({ 'a/SKILL.md': skill('a') });
    symlinkSync(secret, join(dir, 'linked'));
    mkdirSync(join(dir, 'b'));
    symlinkSync(join(secret, 'SKILL.md'), join(dir, 'b/SKILL.md'));
    const { out } = inSession(['check', dir, '--json', '--fix']);
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
    const report = JSON.parse(inSession(['check', dir, '--json']).out);
    expect(report.skills.map(({ path }: { path: string }) => path)).toEqual(['a/SKILL.md']);
  });

  it('prints annotations and SARIF', () => {
    const dir = folder({ 'a/SKILL.md': 'no front matter\n' });
    expect(inSession(['check', dir, '--format', 'github']).out).toMatch(
      /^::error file=a\/SKILL.md,line=1,.*title=no_front_matter::/,
    );
    const log = JSON.parse(inSession(['check', dir, '--format', 'sarif']).out);
    expect(log.runs[0].results[0].ruleId).toBe('no_front_matter');
  });

  it('shows nothing of a repository that could drive a terminal', () => {
    const dir = folder({});
    writeFileSync(join(dir, 'README.md'), '# \u001b[31mred\n');
    mkdirSync(join(dir, 'a'));
    writeFileSync(join(dir, 'a', 'SKILL.md'), skill('a'));
    mkdirSync(join(dir, 'b\u001b[2J\u009b\u202e\u200b\u2028'));
    writeFileSync(join(dir, 'b\u001b[2J\u009b\u202e\u200b\u2028', 'SKILL.md'), 'no front matter');
    for (const format of ['text', 'json', 'github', 'sarif'])
      expect([format, inSession(['check', dir, '--format', format, '--verbose']).out]).toEqual([
        format,
        expect.not.stringMatching(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u),
      ]);
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
