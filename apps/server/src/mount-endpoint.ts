// The endpoint of one mount: waits for its index as long as the contract says, then lets the tools answer.
import type { AnswerError, MountOverview } from '@skillquay/core/answers';
import { MAX_RESULT_BYTES } from '@skillquay/core/budget';
import type { Caller } from '@skillquay/core/caller';
import {
  correctedPath,
  isToolName,
  type ToolArguments,
  validateArguments,
} from '@skillquay/core/contract/arguments';
import { renderInstructions } from '@skillquay/core/contract/instructions';
import { serverInfo } from '@skillquay/core/contract/server-info';
import {
  type FailedStatus,
  failedText,
  type IndexingStatus,
  indexingText,
  renderFailed,
  renderIndexing,
  type ToolCall,
} from '@skillquay/core/contract/status';
import { type ToolName, USE_SKILL_PROMPT } from '@skillquay/core/contract/tools';
import type { Mac } from '@skillquay/core/cursor';
import { HostError } from '@skillquay/hosts/host';
import type {
  CachePolicy,
  Endpoint,
  EndpointIdentity,
  EndpointInfo,
  PromptAnswer,
  ResourceAnswer,
  ResourceRequest,
  ToolText,
} from './endpoint.ts';
import { resultOverheadBytes } from './mcp.ts';
import type { MountState, OpenMount } from './mounts.ts';
import { refusal } from './resource-refusals.ts';
import type { ResultCache } from './result-cache.ts';
import { answerResources, emptyPage } from './skills-extension.ts';
import { errorText, runTool } from './tools.ts';
import { VERSION } from './version.ts';

/** Seconds after which a client asks again for an index that is being made. */
const RETRY_SECONDS = 5;
/** Folders considered for the instructions; what fits in 2,000 characters is fewer. */
const MAX_OVERVIEW_FOLDERS = 50;
/** Likewise skills: where there are more, the instructions name folders. */
const MAX_OVERVIEW_SKILLS = 24;

/** What endpoints share: made once a process. */
export interface EndpointShared {
  readonly mac: Mac;
  readonly indexWaitMs: number;
  readonly results: ResultCache;
  readonly now: () => number;
}

/** `state` is what is known of the mount without waiting; `origin` is null where there are no pages. */
export type EndpointOf = (opened: OpenMount, state: MountState, origin: string | null) => Endpoint;

/** Makes endpoints. That of a mount whose index is in memory is used again: its state is the same object then, and no other's. */
export function mountEndpoints(shared: EndpointShared): EndpointOf {
  const made = new WeakMap<MountState, MountEndpoint>();
  return (opened, state, origin) => {
    const before = made.get(state);
    if (before?.origin === origin) return before;
    const endpoint = new MountEndpoint(shared, opened, state, origin);
    if (state.status === 'ready') made.set(state, endpoint);
    return endpoint;
  };
}

class MountEndpoint implements Endpoint {
  readonly identity: EndpointIdentity;
  readonly #shared: EndpointShared;
  readonly #opened: OpenMount;
  readonly #state: MountState;
  /** Where its pages are. */
  readonly origin: string | null;

  constructor(shared: EndpointShared, opened: OpenMount, state: MountState, origin: string | null) {
    this.identity = { name: opened.identity.address, version: VERSION };
    this.#shared = shared;
    this.#opened = opened;
    this.#state = state;
    this.origin = origin;
  }

  /** Without an index, until a client is told to ask again, whatever the commit. */
  get cache(): CachePolicy {
    const { ttlMs, cacheScope } = this.#opened.cache();
    const isReady = this.#state.status === 'ready';
    return { ttlMs: isReady ? ttlMs : Math.min(ttlMs, RETRY_SECONDS * 1000), cacheScope };
  }

  info(): EndpointInfo {
    const { websiteUrl, icons, ...info } = serverInfo(this.#opened.identity, {
      version: VERSION,
      origin: this.origin ?? '',
      overview: this.#state.status === 'ready' ? this.#overview(this.#state) : null,
    });
    return this.origin === null ? info : { ...info, websiteUrl, icons };
  }

  instructions(): string {
    const { identity } = this.#opened;
    const state = this.#state;
    switch (state.status) {
      case 'ready':
        return renderInstructions(identity, {
          kind: 'ready',
          overview: this.#overview(state),
          rootName: state.mount.rootName,
        });
      case 'indexing':
        return renderInstructions(identity, { kind: 'indexing', status: indexingStatus(state) });
      case 'failed':
        return renderInstructions(identity, { kind: 'failed', status: this.#failedStatus(state) });
      case 'absent':
        return renderInstructions(identity, {
          kind: 'failed',
          status: { code: 'folder.not_found', reason: this.#absence(), retryAfterSeconds: null },
        });
    }
  }

  async call(tool: string, args: object, caller: Caller): Promise<ToolText> {
    const { identity } = this.#opened;
    if (!isToolName(tool)) throw new Error('the protocol passes on no other names');
    const valid = validateArguments(tool, args);
    if (!valid.ok)
      return errorText(identity, { error: await this.#withHint(tool, args, valid.error, caller) });
    const state = await this.#settled(tool, caller);
    return state.status === 'ready'
      ? this.#answer(state, valid.arguments)
      : this.#unready(state, valid.arguments);
  }

  async prompt(name: string, args: object, caller: Caller): Promise<PromptAnswer> {
    if (name !== USE_SKILL_PROMPT.name) {
      return { invalid: `There is no prompt of this name. The prompt is ${USE_SKILL_PROMPT.name}.` };
    }
    const other = Object.keys(args).find((key) => key !== 'path');
    if (other !== undefined) return { invalid: `${name} has one argument, path.` };
    const valid = validateArguments('load_skill', args);
    if (!valid.ok) {
      return { invalid: (await this.#withHint('load_skill', args, valid.error, caller)).message };
    }
    const state = await this.#settled('load_skill', caller);
    if (state.status !== 'ready') return { text: this.#unready(state, valid.arguments).text };
    const { text, error } = await this.#answer(state, valid.arguments);
    return error === undefined ? { text } : { invalid: error.message };
  }

  async resources(request: ResourceRequest, caller: Caller): Promise<ResourceAnswer> {
    const state = await this.#settled(request.method, caller);
    if (state.status !== 'ready') return this.#noResources(state, request);
    const cache = this.#opened.cache();
    const { resources } = this.#shared.results;
    const key = `${this.#key(state)}\n${resourceKey(request)}`;
    const kept = resources?.get(key);
    if (kept !== undefined) return { ok: true, json: kept, cache };
    const { identity, address } = this.#opened;
    const { mac } = this.#shared;
    const context = { identity, address, mount: state.mount, rules: state.rules, policy: this.#policy, mac };
    try {
      const made = await answerResources(context, request);
      if ('refused' in made) return refusal(made.refused, request);
      resources?.set(key, made.json);
      return { ok: true, json: made.json, cache };
    } catch (error) {
      if (error instanceof HostError) return refusal('unreadable', request);
      throw error;
    }
  }

  #noResources(state: Exclude<MountState, Ready>, request: ResourceRequest): ResourceAnswer {
    switch (state.status) {
      case 'indexing': {
        const json = emptyPage(request.method);
        const { cacheScope } = this.#opened.cache();
        if (json !== null) return { ok: true, json, cache: { ttlMs: RETRY_SECONDS * 1000, cacheScope } };
        return { ok: false, kind: 'failed', message: indexingText(indexingStatus(state)) };
      }
      case 'failed':
        return { ok: false, kind: 'failed', message: failedText(this.#failedStatus(state)) };
      case 'absent':
        return { ok: false, kind: 'failed', message: this.#absence() };
    }
  }

  /** The state after the wait that the contract allows the tool or the method. */
  #settled(asked: ToolName | ResourceRequest['method'], caller: Caller): MountState | Promise<MountState> {
    const waits = this.#state.status === 'indexing' && asked !== 'read_repo_file';
    return waits ? this.#opened.state(this.#shared.indexWaitMs, caller) : this.#state;
  }

  /** A skill named by its directory or its name is not loaded, but where one is meant the error leads to it. */
  async #withHint(
    tool: ToolName,
    args: object,
    error: AnswerError['error'],
    caller: Caller,
  ): Promise<AnswerError['error']> {
    const path = 'path' in args && typeof args.path === 'string' ? correctedPath(args.path) : null;
    if (tool !== 'load_skill' || error.code !== 'path.invalid' || path === null) return error;
    const state = await this.#settled(tool, caller);
    const hint = state.status === 'ready' ? state.mount.skillHint(path) : null;
    if (hint === null) return error;
    return {
      ...error,
      message: `${error.message} ${hint.message}`,
      ...(hint.next === undefined ? {} : { next: hint.next }),
    };
  }

  #unready(state: Exclude<MountState, Ready>, args: ToolArguments): ToolText {
    const { identity } = this.#opened;
    switch (state.status) {
      case 'indexing':
        return { text: renderIndexing(identity, indexingStatus(state), callOf(args)), isError: false };
      case 'failed':
        return { text: renderFailed(identity, this.#failedStatus(state)), isError: true };
      case 'absent':
        return errorText(identity, { error: { code: 'folder.not_found', message: this.#absence() } });
    }
  }

  async #answer(state: Ready, args: ToolArguments): Promise<ToolText> {
    const { identity } = this.#opened;
    const { texts } = this.#shared.results;
    // Whether the host answers is said too, and is no property of the snapshot.
    const key = `${this.#key(state)}\n${identity.staleSince ?? ''}\n${JSON.stringify(args)}`;
    const kept = texts?.get(key);
    if (kept !== undefined) return kept;
    try {
      const made = await runTool(
        {
          identity,
          mount: state.mount,
          rules: state.rules,
          policy: this.#policy,
          budget: { maxBytes: MAX_RESULT_BYTES, overheadBytes: resultOverheadBytes(this.identity) },
          mac: this.#shared.mac,
        },
        args,
      );
      if (made.passing !== true) texts?.set(key, made);
      return made;
    } catch (error) {
      // The objects were fetched before; now they are gone, and the host cannot be asked.
      if (error instanceof HostError) {
        return errorText(identity, { error: { code: 'file.unavailable', message: error.message } });
      }
      throw error;
    }
  }

  /** Everything an answer depends on, besides the call. The address says how the mount names itself in the text. */
  #key({ rules }: Ready): string {
    const { identity } = this.#opened;
    return `${identity.address}\n${identity.commit}\n${rules}\n${this.#policy}`;
  }

  get #policy(): string {
    return this.#opened.identity.verified ? 'verified' : 'unverified';
  }

  #overview(state: Ready): MountOverview {
    const { overviews } = this.#shared.results;
    const key = this.#key(state);
    const kept = overviews.get(key);
    if (kept !== undefined) return kept;
    const made = state.mount.overview(MAX_OVERVIEW_FOLDERS, MAX_OVERVIEW_SKILLS);
    overviews.set(key, made);
    return made;
  }

  #failedStatus({ code, reason, nextAttemptAt }: Failed): FailedStatus {
    const seconds = Math.ceil((nextAttemptAt - this.#shared.now()) / 1000);
    return { code, reason, retryAfterSeconds: Math.max(1, seconds) };
  }

  #absence(): string {
    const { identity } = this.#opened;
    return `this commit has nothing to serve at ${identity.path}, the folder this connection is made to. The whole repository is ${identity.repository}.`;
  }
}

/** Unlike that of any other request. JSON would say the same, and takes longer than the lookup that follows. */
function resourceKey(request: ResourceRequest): string {
  const uri = 'uri' in request ? request.uri : '';
  const cursor = 'cursor' in request ? request.cursor : null;
  return `${request.method} ${uri.length} ${uri} ${cursor === null ? '' : `after ${cursor}`}`;
}

type Ready = Extract<MountState, { status: 'ready' }>;
type Failed = Extract<MountState, { status: 'failed' }>;

function indexingStatus({ progress }: Extract<MountState, { status: 'indexing' }>): IndexingStatus {
  return {
    filesRead: progress.read,
    filesKnown: progress.known === 0 ? null : progress.known,
    retryAfterSeconds: RETRY_SECONDS,
  };
}

/** The call as a model would write it again. */
function callOf({ tool, ...args }: ToolArguments): ToolCall {
  return { tool, arguments: 'offset' in args && args.offset === 0 ? { ...args, offset: null } : args };
}
