// What the MCP endpoint asks of a mount: everything the protocol needs, and nothing about HTTP, git or indexes.

/** The parts of MCP's `Implementation` that a mount fills. */
export interface EndpointInfo {
  /** The canonical address: clients key their caches by it. */
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly {
    readonly src: string;
    readonly mimeType: string;
    readonly sizes: readonly string[];
  }[];
}

/** One text block written for a model. */
export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
}

/** What a client may do with an answer that depends on the commit. */
export interface CachePolicy {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** A prompt's message, or the sentence that says what is wrong with its arguments. */
export type PromptAnswer = { readonly text: string } | { readonly invalid: string };

/** One mount, resolved, for the life of one request (over stdio: of one connection). */
export interface Endpoint {
  info(): EndpointInfo;
  /** At most 2,000 characters. Never waits for an index. */
  instructions(): string;
  cache(): CachePolicy;
  /** Never throws for what a model can correct: that is a text with `isError`. */
  call(tool: string, args: unknown, signal: AbortSignal): Promise<ToolText>;
  prompt(name: string, args: unknown, signal: AbortSignal): Promise<PromptAnswer>;
}

/** The tools and prompts every mount has, as `tools/list` and `prompts/list` give them. */
export interface Catalog {
  readonly tools: readonly ToolDefinition[];
  readonly prompts: readonly PromptDefinition[];
}

export interface ToolDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object' } & Readonly<Record<string, unknown>>;
  readonly annotations: Readonly<Record<string, boolean>>;
}

export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}
