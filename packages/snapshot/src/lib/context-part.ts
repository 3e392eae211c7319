// What of a file stands in a skill's context: all of an included file, of rules and instructions what follows the front
// matter. Shared by the builder, which digests contexts, and the reader, which answers them.
import type { ContextPart } from '@skillquay/core/answers';
import { bodyOffsetOf } from '@skillquay/core/front-matter';

/** The part a whole file makes; null for a manifest without a body, which has no rules. */
export function contextPart(kind: ContextPart['kind'], path: string, text: string): ContextPart | null {
  if (kind === 'included') return { kind, path, text };
  const body = text.slice(bodyOffsetOf(text));
  return kind === 'rules' && body.trim() === '' ? null : { kind, path, text: body };
}
