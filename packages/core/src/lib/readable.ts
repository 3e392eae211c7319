// A text as a reader takes it in: nothing between the letters of a word, and each letter in its plain form.

export interface Readable {
  readonly text: string;
  /** The offset in the text that was given. */
  offsetOf(at: number): number;
}

/** Characters between letters that nobody sees, and alphabets that only look like the Latin one. */
const DISGUISE =
  /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\uff21-\uff5a]|[\ufe00-\ufe0f]|\u034f|\ud835[\udc00-\udfff]|\udb40[\udc00-\uddef]/;
const ASCII = /^[\0-\x7f]*$/;
const EVERY_DISGUISE = new RegExp(DISGUISE, 'g');

/** `instead` stands for each character that nobody sees. */
export function readable(text: string, from: number, instead: '' | ' '): Readable {
  if (ASCII.test(text) || !DISGUISE.test(text)) return { text, offsetOf: (at) => at };
  const pieces: string[] = [];
  /** Where a piece begins in what is made, and there. */
  const starts: number[] = [];
  const origins: number[] = [];
  let length = 0;
  const add = (piece: string, origin: number) => {
    if (piece === '') return;
    pieces.push(piece);
    starts.push(length);
    origins.push(origin);
    length += piece.length;
  };
  let last = 0;
  for (const { 0: found, index } of text.matchAll(EVERY_DISGUISE)) {
    add(text.slice(last, index), last);
    const plain = index < from ? found : found.normalize('NFKC');
    add(index < from || /^[A-Za-z0-9]$/.test(plain) ? plain : instead, index);
    last = index + found.length;
  }
  add(text.slice(last), last);
  return { text: pieces.join(''), offsetOf: (at) => originOf(starts, origins, at) };
}

function originOf(starts: readonly number[], origins: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return (origins[low] ?? 0) + at - (starts[low] ?? 0);
}
