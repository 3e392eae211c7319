// Object names as git prints them (hexadecimal) and as they are kept (bytes).

const VALUE = new Uint8Array(256);
for (let i = 0; i < 16; i++) {
  VALUE[i.toString(16).charCodeAt(0)] = i;
  VALUE[i.toString(16).toUpperCase().charCodeAt(0)] = i;
}
const DIGIT = Buffer.from('0123456789abcdef', 'latin1');

/** Reads `length` bytes written in hexadecimal at `from` of `source` into `target` at `at`. */
export function hexToBytes(source: Uint8Array, from: number, target: Uint8Array, at: number, length: number) {
  for (let i = 0; i < length; i++)
    target[at + i] = (VALUE[source[from + 2 * i]!]! << 4) | VALUE[source[from + 2 * i + 1]!]!;
}

/** Writes `length` bytes of `source` from `from` in hexadecimal into `target` at `at`. */
export function bytesToHex(source: Uint8Array, from: number, target: Uint8Array, at: number, length: number) {
  for (let i = 0; i < length; i++) {
    const byte = source[from + i]!;
    target[at + 2 * i] = DIGIT[byte >> 4]!;
    target[at + 2 * i + 1] = DIGIT[byte & 15]!;
  }
}
