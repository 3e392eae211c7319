// Line and column of an offset in a text, as editors count them.

export interface Position {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

export function positionAt(text: string, offset: number): Position {
  const at = Math.min(offset, text.length);
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', end + 1)) {
    line += 1;
    lineStart = end + 1;
  }
  return { line, column: at - lineStart + 1 };
}
