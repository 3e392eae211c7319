// Runs a call against the registry: checked arguments in, one text out.
import type { CallOptions } from '@skillquay/registry/backend';
import type { Registry } from '@skillquay/registry/registry';
import { listText, notFoundText, outcomeText } from '@skillquay/registry/text';
import type { ToolCall } from './arguments.ts';

export interface ToolAnswer {
  readonly text: string;
  /** Sentences that are no part of the text: of a skill, what could not be brought. */
  readonly notes: readonly string[];
}

/** Throws RegistryError, and an AbortError when the signal was aborted. */
export async function runTool(registry: Registry, call: ToolCall, options: CallOptions): Promise<ToolAnswer> {
  switch (call.tool) {
    case 'list_skills': {
      const { skills } = await registry.list(options);
      return answer(listText(registry.name, skills));
    }
    case 'get_skill': {
      const got = await registry.get(call.slug, options);
      return got.kind === 'found'
        ? answer(got.path, got.notes)
        : answer(notFoundText(registry.name, call.slug));
    }
    case 'publish_skill': {
      const { files, localFolder } = call;
      const published = await registry.publish(call.name, { files, localFolder }, options);
      return answer(outcomeText(registry.name, published));
    }
  }
}

function answer(text: string, notes: readonly string[] = []): ToolAnswer {
  return { text, notes };
}
