// The reference of the assembled document shows what is made, and gives the reasons that are given.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONTEXT, IDENTITY, SKILL } from '../src/lib/reference-sample.ts';
import { assembleDocument, documentHead, whyNotPortable } from '../src/skill-document.ts';
import { readSkillFile } from '../src/skill-file.ts';

const PAGE = readFileSync(new URL('../../../docs/reference/skill-document.md', import.meta.url), 'utf8');

function rows(heading: string): (readonly [string, string])[] {
  const [, text = ''] = PAGE.split(`\n## ${heading}\n`);
  const [own = ''] = text.split('\n## ');
  return [...own.matchAll(/^\| `(.+)` \| (.+) \|$/gm)].map(([, code = '', words = '']) => [code, words]);
}

it('shows the document of the sample', () => {
  const raw = `https://raw.githubusercontent.com/acme/library/${IDENTITY.commit}`;
  const head = documentHead({
    facts: { ...SKILL, license: SKILL.licence?.label ?? '' },
    sources: CONTEXT.parts.map(({ path }) => path),
    leftOut: SKILL.leftOut.map((file) => ({ ...file, url: `${raw}/${file.path}` })),
  });
  expect(/^````text\n([\s\S]*?)^````$/m.exec(PAGE)?.[1]).toBe(assembleDocument(head, CONTEXT.parts));
});

it.each(rows('Sources and what is left out'))('gives the reason %s in words', (reason, words) => {
  const leftOut = [{ path: 'a/b.md', reason }];
  expect(documentHead({ facts: SKILL, sources: [], leftOut })).toContain(`\n- a/b.md (${words})\n`);
});

it.each(rows('What a strict host refuses'))('says why %s is refused', (line, why) => {
  const lines = ['---', 'name: a', 'description: Does a.', '---', 'Text.'];
  const text = lines.map((each) => (each === 'name: a' && line.startsWith('name:') ? line : each));
  if (!line.startsWith('name:')) text.splice(1, 0, line);
  const facts = readSkillFile(text.join('\n'), 'a/SKILL.md').value;
  expect(facts === null ? null : whyNotPortable(facts)).toBe(why);
});

it('leaves no table out', () => {
  expect(rows('Sources and what is left out').length).toBeGreaterThan(8);
  expect(rows('What a strict host refuses').length).toBeGreaterThan(2);
});
