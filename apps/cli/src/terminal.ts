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

/** Text as a terminal may show it: nothing in a repository can move the cursor, set colours or forge a line. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
