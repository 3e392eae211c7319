// How much a problem matters to whoever can mend it.
import type { Diagnostic } from './facts.ts';

/** Recovered front matter is served with a warning; for its author it is an error, because other tools see no skill. */
export function forAuthor(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.code === 'recovered_front_matter' ? { ...diagnostic, severity: 'error' } : diagnostic;
}
