// What the pages of `load_skill` hold is what the assembled document holds behind its head.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_RESULT_BYTES } from '../src/budget.ts';
import { joinContent } from '../src/contract/content.ts';
import { renderSkill, SKILL_START } from '../src/contract/skill.ts';
import { assembleDocument } from '../src/skill-document.ts';
import { anyContext, anyIdentity, anySkill } from './arbitraries.ts';

const options = { budget: { maxBytes: MAX_RESULT_BYTES, overheadBytes: 60 }, seal: () => 'CURSOR' };

test('the pages of a skill, put together, are the tail of its document', () => {
  fc.assert(
    fc.property(anyIdentity, anySkill, anyContext, (identity, skill, context) => {
      const tail = assembleDocument('', context.parts);
      const pages: string[] = [];
      for (let start = SKILL_START; ; ) {
        const page = renderSkill(identity, skill, context, start, options);
        pages.push(page.text);
        if (page.next === null) break;
        const [part = 0, offset = 0] = page.next;
        start = { part, offset };
      }
      const parts = joinContent(pages).map(({ title, text }) => `--- ${title} ---\n${text}\n`);
      expect(parts.join('')).toBe(tail);
      // Where one page holds it all, it is there in one piece.
      if (pages.length === 1) expect(pages[0]).toContain(` characters\n${tail}`);
    }),
    { numRuns: 150 },
  );
});

test('a path that cannot be seen whole is written alike on a page and in the document', () => {
  const parts = [{ kind: 'included' as const, path: ' a\u202e/b.md', text: 'Text' }];
  const skill = { path: 'a/SKILL.md', name: 'a', description: 'A.', warnings: [], files: [], fileCount: 0 };
  const answer = { ...skill, references: [], leftOut: [], sourceUrl: 'https://example.com/' };
  const [identity] = fc.sample(anyIdentity, 1);
  if (identity === undefined) throw new Error('no identity');
  const tail = '--- included file:  a\\u{202e}/b.md ---\nText\n';
  expect(assembleDocument('', parts)).toBe(tail);
  const page = renderSkill(identity, answer, { parts, missing: [] }, SKILL_START, options);
  expect(page.text).toContain(tail);
});
