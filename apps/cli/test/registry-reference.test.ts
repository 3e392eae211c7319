import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { registryReference } from '../src/registry/reference.ts';

const PAGE = fileURLToPath(new URL('../../../docs/reference/registry.md', import.meta.url));

it('the reference of the registry is what its help says', () => {
  if (process.env.UPDATE_REFERENCE === '1') writeFileSync(PAGE, registryReference());
  expect(readFileSync(PAGE, 'utf8')).toBe(registryReference());
});
