import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CursorBinding, MAX_CURSOR_CHARACTERS, openCursor, sealCursor } from './cursor.ts';

const macOf =
  (key: string) =>
  (message: Uint8Array): Uint8Array =>
    createHmac('sha256', key).update(message).digest();
const mac = macOf('key');

const binding: CursorBinding = {
  snapshot: 'gh/acme/library 0123',
  rules: '1-ab',
  policy: 'p',
  mount: 'marketing',
  operation: 'search_repo',
  scope: 'marketing/skills',
  subject: 'ad copy',
};

const anyBinding = fc.record({
  snapshot: fc.string(),
  rules: fc.string(),
  policy: fc.string(),
  mount: fc.string(),
  operation: fc.string(),
  scope: fc.string(),
  subject: fc.string({ unit: 'binary', maxLength: 500 }),
});
const anyPosition = fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 4 });

test('a cursor opens for the request it was made for, and is short', () => {
  fc.assert(
    fc.property(anyBinding, anyPosition, (bound, position) => {
      const cursor = sealCursor(mac, bound, position);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_CHARACTERS);
      expect(openCursor(mac, bound, cursor)).toEqual(position);
    }),
  );
  expect(sealCursor(mac, binding, [200]).length).toBeLessThanOrEqual(28);
});

test('a cursor opens for no other request', () => {
  fc.assert(
    fc.property(anyBinding, anyBinding, anyPosition, (bound, other, position) => {
      fc.pre(JSON.stringify(bound) !== JSON.stringify(other));
      expect(openCursor(mac, other, sealCursor(mac, bound, position))).toBeNull();
    }),
  );
});

test.each(['snapshot', 'rules', 'policy', 'mount', 'operation', 'scope', 'subject'] as const)(
  'another %s makes a cursor invalid',
  (field) => {
    const cursor = sealCursor(mac, binding, [3, 4]);
    expect(openCursor(mac, { ...binding, [field]: `${binding[field]}x` }, cursor)).toBeNull();
  },
);

test('text that moves from one bound field to the next is another request', () => {
  const moved = { ...binding, scope: '', subject: 'marketing/skillsad copy' };
  expect(openCursor(mac, moved, sealCursor(mac, binding, [1]))).toBeNull();
});

test('another key makes a cursor invalid', () => {
  expect(openCursor(macOf('other'), binding, sealCursor(mac, binding, [1]))).toBeNull();
});

test('no changed character is accepted', () => {
  const cursor = sealCursor(mac, binding, [70_000, 12]);
  for (let i = 0; i < cursor.length; i += 1) {
    for (const character of 'Az0-_') {
      if (cursor[i] === character) continue;
      expect(openCursor(mac, binding, cursor.slice(0, i) + character + cursor.slice(i + 1))).toBeNull();
    }
  }
  expect(openCursor(mac, binding, `${cursor}A`)).toBeNull();
  expect(openCursor(mac, binding, cursor.slice(0, -1))).toBeNull();
});

test('any text is answered', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.base64String(), fc.string({ maxLength: 2_000 })),
      (text) => {
        expect(openCursor(mac, binding, text)).toBeNull();
      },
    ),
  );
});

test('a cursor shows nothing of the repository', () => {
  const decoded = Buffer.from(sealCursor(mac, binding, [1]), 'base64url').toString('latin1');
  for (const text of Object.values(binding)) expect(text.length > 1 && decoded.includes(text)).toBe(false);
});
