// An endpoint that lives as long as a connection: each call resolves the address anew, so that it follows its ref.
import type { Caller } from '@skillquay/core/caller';
import { renderError } from '@skillquay/core/contract/status';
import type { Endpoint, ToolText } from './endpoint.ts';
import type { MountFailure } from './mounts.ts';

/** The endpoint of what the address means now, or why it means nothing. */
export type OpenEndpoint = (caller: Caller) => Promise<OpenedEndpoint>;

export type OpenedEndpoint =
  | { readonly ok: true; readonly endpoint: Endpoint }
  | { readonly ok: false; readonly failure: MountFailure };

/** `first` is what the connection began with: it introduces the mount. */
export function liveEndpoint(first: Endpoint, open: OpenEndpoint): Endpoint {
  return {
    identity: first.identity,
    // What remains of its life becomes less while the connection lasts.
    get cache() {
      return first.cache;
    },
    info: () => first.info(),
    instructions: () => first.instructions(),
    async call(tool, args, caller) {
      const now = await open(caller);
      return now.ok ? now.endpoint.call(tool, args, caller) : unavailable(now.failure);
    },
    async prompt(name, args, caller) {
      const now = await open(caller);
      return now.ok ? now.endpoint.prompt(name, args, caller) : { text: unavailable(now.failure).text };
    },
    async resources(request, caller) {
      const now = await open(caller);
      return now.ok
        ? now.endpoint.resources(request, caller)
        : { ok: false, kind: 'failed', message: `${now.failure.message} (${now.failure.code})` };
    },
  };
}

function unavailable({ code, message }: MountFailure): ToolText {
  return {
    text: renderError(null, { error: { code: 'file.unavailable', message: `${message} (${code})` } }),
    isError: true,
  };
}
