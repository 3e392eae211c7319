// Hands messages on line by line, whole: what reads them joins what it has with each piece that comes.
import { Transform } from 'node:stream';
import { RegistryError } from '@skillquay/registry/errors';

/** A skill of 100 MiB is the largest there is, and JSON writes some characters longer than they are. */
export const MAX_LINE_BYTES = 256 * 1024 ** 2;

const LF = 0x0a;

/** Passes bytes on up to the last line feed that has come. Fails with RegistryError for a line over the limit. */
export function wholeLines(maxBytes = MAX_LINE_BYTES): Transform {
  let begun: Buffer[] = [];
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = chunk.lastIndexOf(LF) + 1;
      if (end > 0) {
        this.push(Buffer.concat([...begun, chunk.subarray(0, end)]));
        begun = [];
        bytes = 0;
      }
      begun.push(chunk.subarray(end));
      bytes += chunk.length - end;
      if (bytes <= maxBytes) done();
      else done(new RegistryError('invalid', `The client sent a message of more than ${maxBytes} bytes.`));
    },
  });
}
