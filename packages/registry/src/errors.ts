// What can go wrong with a registry, as values with stable codes and sentences that are safe to show.

export type RegistryErrorCode =
  /** No registry is configured, or not in a way that can be read. */
  | 'config'
  /** There is no credential to be found. */
  | 'no_credential'
  /** The host refuses the credential. */
  | 'credential'
  | 'not_found'
  /** The credential is good and may not do this. */
  | 'denied'
  | 'unreachable'
  /** Others published at the same time, again and again. */
  | 'conflict'
  /** What was asked or given cannot be used. */
  | 'invalid'
  /** The host refuses what was written: a protected branch, secret scanning. */
  | 'refused'
  | 'rate_limited'
  /** What the registry or the cache holds cannot be used. */
  | 'bad_data'
  | 'internal';

/** The message says what is wrong, where, and what to do. It never holds a token or the output of a host. */
export class RegistryError extends Error {
  readonly code: RegistryErrorCode;
  /** Seconds after which it is worth trying again, where that is known. */
  readonly retryAfter: number | undefined;
  constructor(code: RegistryErrorCode, message: string, retryAfter?: number) {
    super(message);
    this.name = 'RegistryError';
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** The third attempt found the branch moved as well. Known to clients by this name. */
export class RegistryConflictError extends RegistryError {
  constructor(message: string) {
    super('conflict', message);
    this.name = 'RegistryConflictError';
  }
}

/** The skill is not the one any more that was to be replaced; nothing is wrong with the next one. */
export class SkillChangedError extends RegistryError {
  constructor(message: string) {
    super('conflict', message);
    this.name = 'SkillChangedError';
  }
}

/** The branch is not where it was when the change was made: list again and make the change anew. */
export class RefMoved extends Error {
  constructor() {
    super('the branch has moved');
    this.name = 'RefMoved';
  }
}
