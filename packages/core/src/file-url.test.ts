import { expect, test } from 'vitest';
import { fileUrl } from './file-url.ts';

test('each segment of a path is escaped, and a dollar sign stands for itself', () => {
  expect(fileUrl('https://host.example/raw/{commit}/{path}', 'abc', 'a b/$&/c#ä.bin')).toBe(
    'https://host.example/raw/abc/a%20b/%24%26/c%23%C3%A4.bin',
  );
});
