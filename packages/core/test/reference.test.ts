import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { formatAddress, parseAddress } from '../src/address.ts';
import { toolsReference } from '../src/contract/reference.ts';

function reference(name: string): string {
  return fileURLToPath(new URL(`../../../docs/reference/${name}`, import.meta.url));
}

test('the reference of the tools is what the tools do', () => {
  if (process.env.UPDATE_REFERENCE === '1') writeFileSync(reference('tools.md'), toolsReference());
  expect(readFileSync(reference('tools.md'), 'utf8')).toBe(toolsReference());
});

test('every example in the reference of addresses is true', () => {
  const rows = readFileSync(reference('addresses.md'), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const cells = line.split(' | ').map((cell) => cell.replace(/^\| | \|$|`/g, ''));
      return cells[0]?.startsWith('/') ? [cells] : [];
    });
  const means = rows.filter((cells) => cells.length === 5);
  const refused = rows.filter((cells) => cells.length === 2);
  expect(means.length).toBeGreaterThan(8);
  expect(refused.length).toBeGreaterThan(8);
  for (const [written = '', repository, ref, path, canonical] of means) {
    const result = parseAddress(written);
    if (!result.ok) throw new Error(`${written}: ${result.error.message}`);
    const { address } = result;
    expect([
      `${address.host}, ${address.owner}, ${address.repo}`,
      address.ref ?? '–',
      address.path || '–',
    ]).toEqual([repository, ref, path]);
    expect(formatAddress(address)).toBe(canonical);
  }
  for (const [written = '', code] of refused) {
    expect(parseAddress(written)).toMatchObject({ ok: false, error: { code } });
  }
});
