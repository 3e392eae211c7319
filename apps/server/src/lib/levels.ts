// How deep what a client sends may be nested.

/** Lists and records in one another. What the protocol knows has some ten; writing thousands ends in an overflow. */
export const MAX_LEVELS = 200;

/** Whether a parsed value is nested in more than MAX_LEVELS levels. Never overflows itself. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MAX_LEVELS; depth += 1) {
    level = level.flatMap((inside) =>
      typeof inside === 'object' && inside !== null ? Object.values(inside) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
}
