// Numbers with their nouns, as sentences need them.

/** `1 skill`, `2 skills`, `2 copies`. */
export function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}

/** `7 skills, 3 documents`; what there is none of is left out. '' when there is nothing. */
export function listed(counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => counted(count, noun))
    .join(', ');
}
