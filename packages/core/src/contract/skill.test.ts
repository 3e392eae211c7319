import { expect, test } from 'vitest';
import type { SkillAnswer, SkillContext } from '../answers.ts';
import { MAX_RESULT_BYTES } from '../budget.ts';
import { CONTEXT, IDENTITY, SKILL } from '../lib/reference-sample.ts';
import { renderSkill, SKILL_START } from './skill.ts';

const options = { budget: { maxBytes: MAX_RESULT_BYTES, overheadBytes: 50 }, seal: () => 'CURSOR' };

function page(skill: Partial<SkillAnswer>, context: SkillContext = CONTEXT, budget = options.budget): string {
  return renderSkill(IDENTITY, { ...SKILL, ...skill }, context, SKILL_START, { ...options, budget }).text;
}

test('the first page says where the paths of a text start, and what reading tools take', () => {
  expect(page({})).toContain(
    '\nHint: paths in the instructions start at marketing/skills/ad-copy/; read_repo_file takes the full paths listed above. To run a script, write it to disk first.\nContent:',
  );
  expect(page({ path: 'SKILL.md', files: ['a.md'] })).toContain(
    '\nHint: paths in the instructions start at the repository root; read_repo_file',
  );
  const bare = page({ files: [], fileCount: 0 });
  expect(bare).toContain('Hint: paths');
  expect(bare).not.toContain('To run a script');
  expect(page({ files: [], fileCount: 0, references: [] })).not.toContain('Hint:');
});

test('the hint gives way to the text of the skill', () => {
  const small = { maxBytes: 1_900, overheadBytes: 40 };
  const parts = [{ kind: 'instructions' as const, path: SKILL.path, text: 'Do it.\n'.repeat(500) }];
  const files = Array.from({ length: 90 }, (_, i) => `marketing/skills/ad-copy/references/page-${i}.md`);
  expect(page({ files, fileCount: 90 }, { parts, missing: [] }, small)).not.toContain('Hint:');
});

test('a file that is part of the text is marked where it is listed', () => {
  const tone = 'marketing/skills/ad-copy/tone.json';
  const text = page({ files: [tone, 'marketing/skills/ad-copy/z.md'], fileCount: 2, references: [tone] });
  expect(text).toContain(`Files: 2\n- ${tone} (included below)\n- marketing/skills/ad-copy/z.md\n`);
  expect(text).toContain(`References: 1\n- ${tone} (included below)\n`);
});

test('what was cut is to be had where the file can be read', () => {
  const long = { description: 'word '.repeat(1_000) };
  expect(page(long)).toContain('\nCut: Description; read_repo_file shows the file as it is.\n');
  const described = page({ ...long, describedOnly: 'Proprietary' });
  expect(described).toContain('\nCut: Description; the file at its source has the whole.\nDescribed only: ');
  expect(described).not.toContain('read_repo_file');
});
