// What is remembered of a build that failed, and how long it is left alone.
import type { IndexIdentity } from '../tables.ts';
import { BuildError, detailOf, UNEXPECTED } from './build-error.ts';

export interface Failure {
  readonly code: string;
  readonly reason: string;
  readonly attempts: number;
  /** Milliseconds since the epoch. */
  readonly nextAttemptAt: number;
}

const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 10 * 60_000;

/** A build that failed, for the operator's log. */
export interface BuildFault {
  readonly code: string;
  readonly repository: string;
  readonly commit: string;
  readonly reason: string;
  /** May name paths of this machine; holds no credentials that git knows of. */
  readonly cause: string;
}

export function faultOf(error: unknown, { repository, commit }: IndexIdentity): BuildFault {
  const cause = detailOf(error instanceof Error ? (error.cause ?? error) : error);
  return { ...describe(error), repository, commit, cause: cause.replace(CREDENTIALS, '//') };
}

/** Between `//` and `@` of a URL. */
const CREDENTIALS = /\/\/[^/@\s]+@/g;

/** Milliseconds to wait after `failures` earlier failures: doubled each time, capped, spread over its upper half. */
export function backOff(failures: number, random: number): number {
  const whole = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 30));
  return whole / 2 + (whole / 2) * random;
}

/** A code and a sentence that may be shown; what an unknown error says is not repeated to anyone. */
export function failureOf(error: unknown, attempts: number, nextAttemptAt: number): Failure {
  const { code, reason } = describe(error);
  return { code, reason, attempts, nextAttemptAt };
}

function describe(error: unknown): { code: string; reason: string } {
  if (error instanceof BuildError) return { code: error.code, reason: error.message };
  // A host that cannot bring the commit says so with a code of its own, in words that may be shown.
  if (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    error.code.startsWith('mount.')
  )
    return { code: error.code, reason: error.message };
  return { code: 'indexer.failed', reason: UNEXPECTED };
}
