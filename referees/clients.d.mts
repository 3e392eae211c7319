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
export interface StartedServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}
export function inspectStdio(
  server: StartedServer,
  era: 'legacy' | 'auto' | 'modern',
  args: readonly string[],
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
export const stdioClients: Readonly<
  Record<
    string,
    { readonly era: 'legacy' | 'modern'; connect(server: StartedServer): Promise<ConnectedClient> }
  >
>;
export const clients: Readonly<
  Record<string, { readonly era: 'legacy' | 'modern'; connect(url: string): Promise<ConnectedClient> }>
>;
