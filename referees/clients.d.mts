// Types of clients.mjs for the tests.
import type { Client } from './walk.mjs';

export interface ConnectedClient extends Client {
  readonly instructions: string;
  tools(): Promise<string[]>;
  close(): Promise<void>;
}

export const MODERN: string;
export function inspect(
  url: string,
  era: 'legacy' | 'auto' | 'modern',
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
export const clients: Readonly<
  Record<string, { readonly era: 'legacy' | 'modern'; connect(url: string): Promise<ConnectedClient> }>
>;
