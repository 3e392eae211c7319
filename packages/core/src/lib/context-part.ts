// How the parts of a skill's context are titled, on the pages of `load_skill` and in the assembled document alike.
import type { ContextPart } from '../answers.ts';
import type { ContentPart } from '../contract/content.ts';
import { showPath } from '../show-path.ts';

export function contentPart(part: ContextPart): ContentPart {
  const path = showPath(part.path);
  return { title: title(part.kind, path), path, text: part.text };
}

function title(kind: ContextPart['kind'], path: string): string {
  switch (kind) {
    case 'rules':
      return `applicable rules: ${path}`;
    case 'instructions':
      return 'instructions';
    case 'included':
      return `included file: ${path}`;
  }
}
