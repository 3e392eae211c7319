// Types of walk.mjs for the tests.
export interface Client {
  call(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ readonly text: string; readonly isError: boolean }>;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly total: number;
  readonly text: string;
}

export type ReadContent = (text: string) => readonly Piece[] | null;

export interface ContentReader {
  readonly readContent: ReadContent;
  readonly joinContent: (
    pages: readonly string[],
  ) => readonly { readonly title: string; readonly text: string }[];
}

export type Source = (path: string) => Uint8Array | Promise<Uint8Array>;

export interface NextCall {
  readonly tool: string;
  readonly args: Record<string, unknown>;
}

export function nextCall(text: string, readContent: ReadContent): NextCall | null;
export function browseTo(
  client: Client,
  skillPath: string,
  readContent: ReadContent,
  args?: Record<string, unknown>,
): Promise<number>;
export function searchFinds(client: Client, query: string, skillPath: string): Promise<boolean>;
export function loadWhole(
  client: Client,
  skillPath: string,
  reader: ContentReader,
  source: Source,
): Promise<{ readonly pages: number; readonly differing: readonly string[]; readonly complete: boolean }>;
export function readWhole(
  client: Client,
  path: string,
  reader: ContentReader,
  source: Source,
): Promise<{ readonly pages: number; readonly equal: boolean }>;
