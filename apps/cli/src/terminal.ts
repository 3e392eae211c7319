// What a person sees while something takes time: one line that rewrites itself, and nothing at all when piped.

export interface Progress {
  /** Replaces what was shown before. */
  show(line: string): void;
  clear(): void;
}

interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Lines faster than this are passed over. */
const MIN_INTERVAL_MS = 80;

export function progressOn(screen: Screen, now: () => number = Date.now): Progress {
  if (screen.isTTY !== true) return { show() {}, clear() {} };
  let last = Number.NEGATIVE_INFINITY;
  let shown = false;
  return {
    show(line) {
      if (now() - last < MIN_INTERVAL_MS) return;
      last = now();
      shown = true;
      screen.write(`\r\x1b[K${line.slice(0, Math.max(10, (screen.columns ?? 80) - 1))}`);
    },
    clear() {
      if (shown) screen.write('\r\x1b[K');
      shown = false;
      last = Number.NEGATIVE_INFINITY;
    },
  };
}

/** What a terminal obeys or hides instead of showing; joiners stay, because scripts and emoji need them. */
const UNPRINTABLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same in a text of several lines, which may hold tabs. */
const UNPRINTABLE_IN_TEXT = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The same in JSON, where line feeds are layout and everything may be an escape. */
const UNPRINTABLE_IN_JSON = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text as a terminal may show it: nothing in a repository can move the cursor, set colours or forge a line. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, escaped);
}

/** The same for a text whose line feeds and tabs are layout: a name that is put into it must hold none. */
export function printableText(text: string): string {
  return text.replace(UNPRINTABLE_IN_TEXT, escaped);
}

/** JSON that is the same data and safe to look at. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(UNPRINTABLE_IN_JSON, escaped);
}

/** As JSON and JavaScript write it: a code unit is four digits, a character beyond is two units. */
function escaped(character: string): string {
  let out = '';
  for (let at = 0; at < character.length; at += 1)
    out += `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return out;
}
