// Checks the arguments of a call by hand, so that a model reads one sentence about what to change.
import { RegistryError } from '@skillquay/registry/errors';
import { checkOneSource } from '@skillquay/registry/payload';
import { TOOLS, type ToolName } from './definitions.ts';

type Arguments = Readonly<Record<string, unknown>>;

export type ToolCall =
  | { readonly tool: 'list_skills' }
  | { readonly tool: 'get_skill'; readonly slug: string }
  | {
      readonly tool: 'publish_skill';
      readonly name: string;
      readonly files: Readonly<Record<string, string>> | null;
      readonly localFolder: string | null;
    };

/** Throws RegistryError `invalid`. */
export function readArguments(tool: ToolName, given: Arguments): ToolCall {
  checkNames(tool, given);
  switch (tool) {
    case 'list_skills':
      return { tool };
    case 'get_skill':
      return { tool, slug: required(tool, given, 'slug') };
    case 'publish_skill': {
      const name = required(tool, given, 'name');
      // Models fill in what they leave out.
      const localFolder = optional(tool, given, 'local_folder') || null;
      checkOneSource([given.files, localFolder]);
      return { tool, name, files: filesOf(given.files), localFolder };
    }
  }
}

function checkNames(tool: ToolName, given: Arguments): void {
  const known = Object.keys(TOOLS.find(({ name }) => name === tool)?.inputSchema.properties ?? {});
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const takes = known.length === 0 ? 'no arguments' : known.map((name) => `\`${name}\``).join(', ');
  throw bad(`\`${tool}\` has no argument ${JSON.stringify(unknown.slice(0, 100))}. It takes ${takes}.`);
}

function required(tool: ToolName, given: Arguments, name: string): string {
  const value = optional(tool, given, name);
  if (value === null) throw bad(`\`${tool}\` needs the argument \`${name}\`, a text.`);
  return value;
}

/** null where it is missing; many clients send null for that. */
function optional(tool: ToolName, given: Arguments, name: string): string | null {
  const value = given[name] ?? null;
  if (value !== null && typeof value !== 'string')
    throw bad(`The argument \`${name}\` of \`${tool}\` is a text.`);
  return value;
}

function filesOf(value: unknown): Readonly<Record<string, string>> | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value))
    throw bad('The argument `files` maps the path of each file to its text, such as {"SKILL.md": "…"}.');
  // A plain assignment would lose a file that is named __proto__.
  const files: [string, string][] = [];
  for (const [path, text] of Object.entries(value)) {
    if (typeof text !== 'string')
      throw bad(`The text of ${JSON.stringify(path.slice(0, 200))} in \`files\` is no text.`);
    files.push([path, text]);
  }
  return Object.fromEntries(files);
}

function bad(message: string): RegistryError {
  return new RegistryError('invalid', message);
}
