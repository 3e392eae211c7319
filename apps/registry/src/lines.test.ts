import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeLines } from './lines.ts';

async function through(chunks: readonly Buffer[], maxBytes?: number): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of Readable.from(chunks).pipe(wholeLines(maxBytes))) pieces.push(String(piece));
  return pieces;
}

it('hands every line on, whole and once, however the bytes come', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.array(fc.nat({ max: 40 })),
      async (lines, cuts) => {
        const bytes = Buffer.from(lines.map((line) => `${line.replaceAll('\n', ' ')}\n`).join(''));
        const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        const pieces = await through(chunks.filter((chunk) => chunk.length > 0));
        expect(pieces.join('')).toBe(bytes.toString());
        for (const piece of pieces) expect(piece.endsWith('\n')).toBe(true);
      },
    ),
  );
});

it('refuses a line over the limit before it is whole', async () => {
  expect(await through([Buffer.from('1234'), Buffer.from('\n5')], 4)).toEqual(['1234\n']);
  await expect(through([Buffer.from('12345'), Buffer.from('\n')], 4)).rejects.toThrow('more than 4 bytes');
});
