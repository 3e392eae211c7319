import { expect, test } from 'vitest';
import { hostLinks, type LinkStyle, NO_LINKS } from './links.ts';

const COMMIT = 'a'.repeat(40);

test.each<[LinkStyle, string, string]>([
  ['github', `https://h/o/r/blob/${COMMIT}/d/`, `https://h/o/r/raw/${COMMIT}/d/`],
  ['gitlab', `https://h/o/r/-/blob/${COMMIT}/d/`, `https://h/o/r/-/raw/${COMMIT}/d/`],
  ['forgejo', `https://h/o/r/src/commit/${COMMIT}/d/`, `https://h/o/r/raw/commit/${COMMIT}/d/`],
])('%s has a page and bytes for each file', (style, page, raw) => {
  const links = hostLinks(style, 'https://h/o/r');
  expect(links.page(COMMIT, 'd/a.md')).toBe(`${page}a.md`);
  expect(links.raw(COMMIT, 'd/a b#c?d%e 한.md')).toBe(`${raw}a%20b%23c%3Fd%25e%20%ED%95%9C.md`);
});

test('a local file has no page', () => {
  expect(NO_LINKS.page(COMMIT, 'a')).toBeNull();
});
