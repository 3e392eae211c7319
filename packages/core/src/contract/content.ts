// How text of the repository stands in a result, whole or in part, so that it can be taken out again exactly.
//
//   Content: 120 + 5000 of 9000 characters
//   --- applicable rules: SKILLCDN.md ---
//   <120 characters, as stored>
//   --- instructions ---
//   fragment: skills/a/SKILL.md characters 0–5000 of 9000
//   <5,000 characters, as stored>
//
// The `Content:` line comes before any text of the repository and counts every piece that follows, so no text can
// pretend to end early or to begin another piece. One line feed, which is no part of it, follows each piece.
import { lineCost } from '../budget.ts';
import { advance, codePointLength, measurePiece, type TextPiece } from '../text.ts';

export interface ContentPart {
  /** Completes `--- … ---`: names the source. */
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

/** Characters [from, to) of a part of `total` characters. */
export interface ContentPiece extends ContentPart {
  readonly from: number;
  readonly to: number;
  readonly total: number;
}

export interface ContentPosition {
  readonly part: number;
  /** Characters of that part that were shown before. */
  readonly offset: number;
}

export interface ContentBounds {
  /** For the pieces with all their lines, as JSON. */
  readonly jsonBytes: number;
  /** UTF-8 bytes of text. */
  readonly bytes: number;
  /** Characters of text. */
  readonly characters: number;
}

export interface ContentPage {
  readonly pieces: readonly ContentPiece[];
  /** Null when everything was shown. */
  readonly next: ContentPosition | null;
}

/** Cuts the longest page from a position on. */
export function cutContent(
  parts: readonly ContentPart[],
  start: ContentPosition,
  bounds: ContentBounds,
): ContentPage {
  const pieces: ContentPiece[] = [];
  let json = bounds.jsonBytes - lineCost(contentLine([]));
  let { bytes, characters } = bounds;
  for (let index = start.part; index < parts.length; index += 1) {
    const part = parts[index];
    if (part === undefined) break;
    const from = index === start.part ? start.offset : 0;
    const total = codePointLength(part.text);
    const begin = advance(part.text, 0, from);
    const frame = (to: number): number =>
      pieceLines({ ...part, text: '', from, to, total }).reduce((sum, line) => sum + lineCost(line), 0) +
      lineCost(` + ${countText({ from, to, total })}`);
    // The frame of a whole piece is the shorter one; only if the rest does not fit in it is this a fragment. A
    // character takes a byte at least, so a long rest need not be measured to know that.
    const room = json - frame(total);
    const rest = total - from;
    let piece: TextPiece | null = null;
    if (rest <= bytes && rest <= room)
      piece = measurePiece(part.text, begin, { characters, bytes, jsonBytes: room });
    if (piece === null || piece.end < part.text.length) {
      const jsonBytes = json - frame(total - 1);
      piece = measurePiece(part.text, begin, { characters, bytes, jsonBytes });
      if (piece.characters === 0) return { pieces, next: { part: index, offset: from } };
    }
    const to = from + piece.characters;
    pieces.push({ ...part, text: part.text.slice(begin, piece.end), from, to, total });
    if (to < total) return { pieces, next: { part: index, offset: to } };
    json -= frame(to) + piece.jsonBytes;
    bytes -= piece.bytes;
    characters -= piece.characters;
  }
  return { pieces, next: null };
}

/** Bytes of JSON that the lines around a fragment of a part take at most. */
export function frameCost(part: ContentPart | undefined): number {
  if (part === undefined) return 0;
  const total = part.text.length;
  const fragment = { ...part, text: '', from: total, to: total, total };
  return [contentLine([fragment, fragment]), ...pieceLines(fragment)].reduce(
    (sum, line) => sum + lineCost(line),
    0,
  );
}

/** All lines of a page's content; none without a piece. */
export function contentLines(pieces: readonly ContentPiece[]): readonly string[] {
  return pieces.length === 0 ? [] : [contentLine(pieces), ...pieces.flatMap(pieceLines)];
}

/** A whole part in its frame, the line feed behind it included. */
export function framedPart(part: ContentPart): string {
  return `${titleLine(part)}\n${part.text}\n`;
}

function titleLine(part: ContentPart): string {
  return `--- ${part.title} ---`;
}

function contentLine(pieces: readonly ContentPiece[]): string {
  return `Content: ${pieces.map(countText).join(' + ')} characters`;
}

function countText(piece: Pick<ContentPiece, 'from' | 'to' | 'total'>): string {
  return isWhole(piece) ? `${piece.total}` : `${piece.to - piece.from} of ${piece.total}`;
}

function pieceLines(piece: ContentPiece): readonly string[] {
  if (isWhole(piece)) return [titleLine(piece), piece.text];
  return [
    titleLine(piece),
    `fragment: ${piece.path} characters ${piece.from}–${piece.to} of ${piece.total}`,
    piece.text,
  ];
}

function isWhole(piece: Pick<ContentPiece, 'from' | 'to' | 'total'>): boolean {
  return piece.from === 0 && piece.to === piece.total;
}

/** A piece taken out of a result: where it comes from is what its title says. */
export interface ReadPiece {
  readonly title: string;
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly text: string;
}

/** Takes the pieces out of a result's text, for clients and tests; null if the text is not one of ours. */
export function readContent(result: string): readonly ReadPiece[] | null {
  const label = /^Content: (.+) characters$/m.exec(result);
  if (label === null) return [];
  let at = label.index + label[0].length + 1;
  const takeLine = (): string => {
    const end = result.indexOf('\n', at);
    const line = result.slice(at, end === -1 ? result.length : end);
    at += line.length + 1;
    return line;
  };
  const pieces: ReadPiece[] = [];
  for (const count of (label[1] ?? '').split(' + ')) {
    const [, shown, of] = /^(\d+)(?: of (\d+))?$/.exec(count) ?? [];
    const title = /^--- (.+) ---$/.exec(takeLine())?.[1];
    if (shown === undefined || title === undefined) return null;
    const total = Number(of ?? shown);
    const from = of === undefined ? '0' : / characters (\d+)–\d+ of \d+$/.exec(takeLine())?.[1];
    if (from === undefined) return null;
    const end = advance(result, at, Number(shown));
    pieces.push({
      title,
      from: Number(from),
      to: Number(from) + Number(shown),
      total,
      text: result.slice(at, end),
    });
    at = end + 1;
  }
  return pieces;
}

/** Puts the parts of a walk together again, from the texts of all its pages in order. */
export function joinContent(
  pages: readonly string[],
): readonly { readonly title: string; readonly text: string }[] {
  const parts: { title: string; text: string }[] = [];
  for (const page of pages) {
    for (const piece of readContent(page) ?? []) {
      const last = parts.at(-1);
      if (piece.from > 0 && last?.title === piece.title) last.text += piece.text;
      else parts.push({ title: piece.title, text: piece.text });
    }
  }
  return parts;
}
