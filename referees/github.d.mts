// Types of github.mjs for the tests.
export interface EmulatedGithub {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

/** `tokens`: logins by token; each is a user. */
export function emulateGithub(tokens: Readonly<Record<string, string>>): Promise<EmulatedGithub>;
