// Rows as a person reads them on a terminal, and as a program reads them out of a pipe.
import { cutAtWord } from '@skillquay/core/text';
import { printable } from '../terminal.ts';

/** Columns of a cell that is not the last one. */
const MAX_CELL = 40;
const MIN_LAST = 20;

export interface TableOptions {
  /** Whether the last cell of a row is cut to what is left of the line; else it is shown whole. */
  readonly cutsLast: boolean;
}

/** Aligned under their headings for `columns`; tabs and no headings when they are read by a program. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
  { cutsLast }: TableOptions = { cutsLast: true },
): string {
  const cells = rows.map((row) => row.map((cell) => printable(cell.replace(/\s+/g, ' ').trim())));
  if (columns === null) return cells.map((row) => row.join('\t')).join('\n');
  const all = [headings, ...cells];
  const last = headings.length - 1;
  const widths = headings.map((_, at) =>
    Math.min(MAX_CELL, Math.max(...all.map((row) => width(row[at] ?? '')))),
  );
  const before = widths.slice(0, last).reduce((sum, one) => sum + one + 2, 0);
  const room = cutsLast ? Math.max(MIN_LAST, columns - before - 1) : Number.POSITIVE_INFINITY;
  return all
    .map((row) =>
      row
        .map((cell, at) => (at === last ? cutAtWord(cell, room) : padded(cell, widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function padded(cell: string, columns: number): string {
  const text = width(cell) > columns ? cutAtWord(cell, columns) : cell;
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

/** Columns on a terminal: characters of East Asia take two, marks none. */
function width(text: string): number {
  const wide = text.match(/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\uff01-\uff60]/gu);
  const none = text.match(/\p{M}/gu);
  return [...text].length + (wide?.length ?? 0) - (none?.length ?? 0);
}
