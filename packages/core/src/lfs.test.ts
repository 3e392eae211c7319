import { describe, expect, it } from 'vitest';
import { MAX_LFS_POINTER_BYTES, readLfsPointer } from './lfs.ts';

const OID = `oid sha256:${'4d7a'.repeat(16)}`;
const V1 = 'version https://git-lfs.github.com/spec/v1';
const read = (text: string) => readLfsPointer(new TextEncoder().encode(text));

describe('a Git LFS pointer', () => {
  it.each([
    [`${V1}\n${OID}\nsize 12345\n`, 12345],
    [`${V1}\n${OID}\nsize 0`, 0],
    [`${V1}\r\n${OID}\r\nsize 7\r\n`, 7],
    [`version https://hawser.github.com/spec/v1\n${OID}\nsize 7\n`, 7],
    [`${V1}\next-0-foo sha256:${'ab'.repeat(32)}\n${OID}\nsize 7\n`, 7],
  ])('tells the size of its file: %j', (text, size) => {
    expect(read(text)).toEqual({ size });
  });

  it.each([
    '',
    `# About LFS\n\n${V1}\n${OID}\nsize 1\n`,
    `${V1}\nsize 1\n`,
    `${V1}\n${OID}\n`,
    `${V1}\n${OID}\nsize -1\n`,
    `${V1}\noid sha256:abc\nsize 1\n`,
    `${V1}\n${OID}\nsize 1\nand more\n`,
    `version https://example.com/spec/v1\n${OID}\nsize 1\n`,
  ])('is nothing else: %j', (text) => {
    expect(read(text)).toBeNull();
  });

  it('is never longer than Git LFS reads', () => {
    const padded = (bytes: number) => {
      const rest = `\n${OID}\nsize 1\n`;
      return `${V1}\next-0-${'a'.repeat(bytes - V1.length - rest.length - 7)}${rest}`;
    };
    expect(read(padded(MAX_LFS_POINTER_BYTES))).toEqual({ size: 1 });
    expect(read(padded(MAX_LFS_POINTER_BYTES + 1))).toBeNull();
  });
});
