// What the MCP endpoint asks of a mount: everything the protocol needs, and nothing about HTTP, git or indexes.
import type { AnswerError } from '@skillquay/core/answers';
import type { Caller } from '@skillquay/core/caller';
import type { ServerInfo } from '@skillquay/core/contract/server-info';

/** Which server answers: a part of every result of the modern era, so it is as short as may be. */
export interface EndpointIdentity {
  /** The canonical address: clients key their caches by it. */
  readonly name: string;
  readonly version: string;
}

/** How a server introduces itself. Over stdio it has no page and no icon. */
export type EndpointInfo = Omit<ServerInfo, 'websiteUrl' | 'icons'> &
  Partial<Pick<ServerInfo, 'websiteUrl' | 'icons'>>;

/** One text block written for a model. */
export interface ToolText {
  readonly text: string;
  readonly isError: boolean;
  /** What is wrong with the call, where that is known. */
  readonly error?: AnswerError['error'];
  /** Asking again may give another answer, although the commit is the same. */
  readonly passing?: true;
}

/** What a client may do with an answer that depends on the commit. */
export interface CachePolicy {
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
}

/** A prompt's message, or the sentence that says what is wrong with its arguments. */
export type PromptAnswer = { readonly text: string } | { readonly invalid: string };

/** A request for resources, its parameters as the client sent them. `cursor` null = the first page. */
export type ResourceRequest =
  | { readonly method: 'skills/list' | 'resources/list'; readonly cursor: string | null }
  | { readonly method: 'skills/get' | 'resources/read'; readonly uri: string }
  | { readonly method: 'resources/directory/read'; readonly uri: string; readonly cursor: string | null };

export type ResourceAnswer =
  /** `json`: the serialized result, an object that is not empty, without what depends on the protocol era. */
  | { readonly ok: true; readonly json: Buffer; readonly cache: CachePolicy }
  /** `invalid`: nothing to answer with, now or later; `failed`: worth asking again. The message leaves as it is. */
  | {
      readonly ok: false;
      readonly kind: 'invalid' | 'failed';
      readonly message: string;
      readonly uri?: string;
    };

/** One mount, resolved: for as many requests as find it as it is (over stdio: one connection). */
export interface Endpoint {
  readonly identity: EndpointIdentity;
  readonly cache: CachePolicy;
  info(): EndpointInfo;
  /** At most 2,000 characters. Never waits for an index. */
  instructions(): string;
  /** `tool` is one of the contract's. Never throws for what a model can correct: that is a text with `isError`. */
  call(tool: string, args: object, caller: Caller): Promise<ToolText>;
  prompt(name: string, args: object, caller: Caller): Promise<PromptAnswer>;
  resources(request: ResourceRequest, caller: Caller): Promise<ResourceAnswer>;
}
