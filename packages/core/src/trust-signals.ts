// What a reader should know before an agent follows a text: what is hidden in it, what it asks for, what it lacks.
import { type DiagnosticPlace, diagnostic } from './diagnostics.ts';
import type { AskedScript, Diagnostic } from './facts.ts';
import { nameOf } from './lib/characters.ts';
import { type FoundRun, findSuspicious } from './lib/hidden-characters.ts';
import { type FoundPhrase, findPhrases } from './lib/override-matcher.ts';
import { PURPOSES } from './lib/override-phrases.ts';
import { positionAt } from './lib/position.ts';
import { findScripts } from './lib/script-mentions.ts';

/** Findings of one kind that are named for one file; the others are counted. */
const MAX_NAMED = 3;
/** Scripts of one skill that are looked for. */
const MAX_ASKED_SCRIPTS = 20;

/** Codes of the warnings about a text that an agent follows, whoever's skill it belongs to. */
export const TEXT_SIGNALS: ReadonlySet<string> = new Set(['suspicious_character', 'acts_against_user']);

/** What the text at a repository-root path hides and asks for, from a UTF-16 offset on. Work is linear in its length. */
export function textSignals(text: string, path: string, from: number): Diagnostic[] {
  const place = (at: number) => ({ path, ...positionAt(text, at) });
  return [
    ...bounded(findSuspicious(text, from), ({ at, first, count }: FoundRun) =>
      diagnostic('suspicious_character', { ...place(at), character: spelled(first, count) }),
    ),
    ...bounded(findPhrases(text, from), (found) => againstUser(found, place(found.at))),
  ];
}

/** What a description asks for, with the place of each offset in it. Nothing is hidden in one: front matter must not hold such characters. */
export function descriptionSignals(
  description: string,
  placeOf: (at: number) => DiagnosticPlace,
): Diagnostic[] {
  return bounded(findPhrases(description, 0), (found) => againstUser(found, placeOf(found.at)));
}

function againstUser({ words, phrase }: FoundPhrase, place: DiagnosticPlace): Diagnostic {
  return diagnostic('acts_against_user', { ...place, phrase: words, purpose: PURPOSES[phrase.purpose] });
}

function spelled(first: string, count: number): string {
  return count === 1 ? nameOf(first) : `${nameOf(first)} and ${count - 1} more beside it`;
}

function bounded<T>(found: Iterable<T>, report: (one: T) => Diagnostic): Diagnostic[] {
  const named: Diagnostic[] = [];
  let first: T | null = null;
  let more = 0;
  for (const one of found) {
    if (named.length < MAX_NAMED) named.push(report(one));
    else {
      first ??= one;
      more += 1;
    }
  }
  if (first === null) return named;
  const { path, line, column, code } = report(first);
  const place = {
    path,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
  return [...named, diagnostic('repeated_warning', { ...place, repeated: code, count: more })];
}

/** The scripts that a body asks to run by a relative path, from a UTF-16 offset on. */
export function askedScripts(text: string, from: number): AskedScript[] {
  return findScripts(text, from)
    .slice(0, MAX_ASKED_SCRIPTS)
    .map(({ path, at }) => ({ path, ...positionAt(text, at) }));
}

/** The scripts of a SKILL.md at a repository-root path that are not there. */
export function missingScripts(
  asked: readonly AskedScript[],
  path: string,
  isThere: (script: string) => boolean,
): Diagnostic[] {
  const missing = asked.filter((script) => !isThere(script.path));
  return bounded(missing, ({ path: script, line, column }) =>
    diagnostic('missing_script', { path, line, column, script }),
  );
}
