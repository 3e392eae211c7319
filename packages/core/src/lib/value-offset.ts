// Where a part of a value stands in the file that it was read from.

const BLOCK = /[|>]/;
const QUOTE = /["']/;
const BLANK = /\s/;

/**
 * The offset in `file` of what stands at `offset` of a text, which was read from the value that begins at `valueAt`.
 * White space may differ, as folding and indentation make it; where anything else does (an escape), the value's own.
 */
export function offsetInFile(file: string, valueAt: number, text: string, offset: number): number {
  const first = file[valueAt] ?? '';
  let at = valueAt;
  // A recovered value may begin with such a mark itself.
  if (first === text[0]) at = valueAt;
  else if (BLOCK.test(first)) at = endOfLine(file, valueAt);
  else if (QUOTE.test(first)) at += 1;
  for (let i = 0; i <= offset; i += 1) {
    const character = text[i] ?? '';
    if (i < offset && BLANK.test(character)) continue;
    while (at < file.length && file[at] !== character && BLANK.test(file[at] ?? '')) at += 1;
    if (file[at] !== character) return valueAt;
    if (i < offset) at += 1;
  }
  return at;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}
