import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentsOf, mediaType } from './media-types.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytes = (...values: number[]) => Uint8Array.from(values);

describe('a media type', () => {
  it.each([
    ['skills/a/SKILL.md', 'text/markdown'],
    ['a/README.MD', 'text/markdown'],
    ['a/tone.json', 'application/json'],
    ['notes.txt', 'text/plain'],
    ['logo.png', 'image/png'],
    ['photo.JPG', 'image/jpeg'],
    ['run.sh', 'text/x-shellscript'],
    ['.gitignore', 'application/octet-stream'],
    ['Makefile', 'application/octet-stream'],
    ['a.tar.gz', 'application/gzip'],
    ['a.constructor', 'application/octet-stream'],
    ['a.', 'application/octet-stream'],
    ['md/x', 'application/octet-stream'],
  ])('of %s is %s', (path, type) => {
    expect(mediaType(path)).toBe(type);
  });
});

describe('contents', () => {
  it.each([
    ['a.md', utf8('# A\r\n'), { mimeType: 'text/markdown', text: '# A\r\n' }],
    ['a.md', utf8('\ufeffA'), { mimeType: 'text/markdown', text: '\ufeffA' }],
    ['a.md', bytes(), { mimeType: 'text/markdown', text: '' }],
    ['a.md', bytes(0x41, 0xff), { mimeType: 'text/markdown', blob: 'Qf8=' }],
    ['a.svg', utf8('<svg/>'), { mimeType: 'image/svg+xml', text: '<svg/>' }],
    ['a.png', utf8('not a picture'), { mimeType: 'image/png', blob: 'bm90IGEgcGljdHVyZQ==' }],
    ['Makefile', utf8('all:\n'), { mimeType: 'text/plain', text: 'all:\n' }],
    ['a.bin', bytes(0x41, 0), { mimeType: 'application/octet-stream', blob: 'QQA=' }],
    ['a.bin', bytes(0xc3), { mimeType: 'application/octet-stream', blob: 'ww==' }],
  ])('of %s are text only where nothing is lost', (path, stored, contents) => {
    expect(contentsOf(path, stored)).toEqual(contents);
  });

  it('are the stored bytes again, whatever they are', () => {
    const names = fc.constantFrom('a.md', 'b.json', 'c.png', 'd', 'e.zip');
    fc.assert(
      fc.property(
        names,
        fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' }).map(utf8)),
        (path, stored) => {
          const sent = JSON.parse(JSON.stringify(contentsOf(path, stored)));
          const received = 'text' in sent ? Buffer.from(sent.text) : Buffer.from(sent.blob, 'base64');
          expect(received.equals(stored)).toBe(true);
        },
      ),
    );
  });

  it('of a part of a larger buffer are that part alone', () => {
    const part = Buffer.from('before!after').subarray(6, 7);
    expect(contentsOf('x.png', part)).toEqual({ mimeType: 'image/png', blob: 'IQ==' });
  });
});
