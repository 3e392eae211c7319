import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ANYTHING, PHRASES, PURPOSES } from '../src/lib/override-phrases.ts';

const FILE = fileURLToPath(new URL('../../../docs/reference/trust-signals.md', import.meta.url));

const TABLE = /(?<=<!-- phrases -->\n)[\s\S]*(?=<!-- end of phrases -->)/;

function table(): string {
  const rows = PHRASES.map(({ language, purpose, parts }) => {
    const words = parts.map((part) => (part === ANYTHING ? '(up to three words)' : part.join(', ')));
    return `| ${language} | ${PURPOSES[purpose]} | ${words.join(' … ')} |`;
  });
  return [
    '',
    '| language | it asks an agent to | words, in this order |',
    '|---|---|---|',
    ...rows,
    '',
    '',
  ].join('\n');
}

test('the reference lists every phrase that is warned of', () => {
  const page = readFileSync(FILE, 'utf8');
  if (process.env.UPDATE_REFERENCE === '1')
    writeFileSync(
      FILE,
      page.replace(TABLE, () => table()),
    );
  expect(TABLE.exec(readFileSync(FILE, 'utf8'))?.[0]).toBe(table());
});
