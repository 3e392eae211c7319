// What a request for resources is told that cannot be answered.
import type { ResourceAnswer, ResourceRequest } from './endpoint.ts';

const SENTENCES = {
  uri: 'This URI names nothing that is served here.',
  cursor:
    'This cursor belongs to another list, or the repository has changed since: start again from the first page, without a cursor.',
  unreadable: 'This file could not be read from its repository now. Try again.',
} as const;

export function refusal(why: keyof typeof SENTENCES, request: ResourceRequest): ResourceAnswer {
  const kind = why === 'unreadable' ? 'failed' : 'invalid';
  const named = why === 'uri' && 'uri' in request ? { uri: request.uri } : undefined;
  return { ok: false, kind, message: SENTENCES[why], ...named };
}
