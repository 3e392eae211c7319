import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bodyOffsetOf, readFrontMatter } from './front-matter.ts';

it('the body begins at one place, whether the fields are read or not', () => {
  const line = fc.constantFrom('---', '--- ', '...', '---x', 'a: b', 'a: [', '', '\ufeff---', ' ---');
  const text = fc
    .array(line, { maxLength: 6 })
    .chain((lines) => fc.constantFrom('\n', '\r\n').map((end) => lines.join(end)));
  fc.assert(
    fc.property(text, (one) => {
      expect(bodyOffsetOf(one)).toBe(readFrontMatter(one, 'SKILL.md').bodyOffset);
      expect(bodyOffsetOf(one)).toBe(readFrontMatter(one, 'SKILL.md', { recover: true }).bodyOffset);
    }),
  );
});
