// The three tools as a client lists them, and what a model is told when it connects. Source: contract, MCP tools.
import type { Tool } from '@modelcontextprotocol/server';

export const SERVER_NAME = 'skill-registry';

const SLUG = {
  type: 'string',
  description:
    'The slug of a skill as `list_skills` shows it, such as "auth-skill". Its name is understood too.',
} as const;

/** Where clients of the contract look for tags. */
const META = { fastmcp: { tags: ['skills', 'registry'] } };
const READS = { readOnlyHint: true, openWorldHint: true };
const CHANGES = { destructiveHint: true, openWorldHint: true };

export const TOOL_NAMES = ['list_skills', 'get_skill', 'publish_skill'] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

type ToolDefinition = Tool & { readonly name: ToolName };

export const TOOLS: readonly ToolDefinition[] = [
  {
    name: 'list_skills',
    description:
      "Shows every skill in the user's own registry as a table of slug, name and description. Call it first, to see whether a skill fits the task; then call `get_skill` with its slug.",
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    annotations: READS,
    _meta: META,
  },
  {
    name: 'get_skill',
    description:
      'Brings one skill of the registry to this machine and answers with the absolute path of its folder. Read `SKILL.md` in that folder first, and after that only the files it names: it says which are needed when. The folder is a copy; changes to it are published with `publish_skill` alone.',
    inputSchema: {
      type: 'object',
      properties: { slug: SLUG },
      required: ['slug'],
      additionalProperties: false,
    },
    annotations: READS,
    _meta: META,
  },
  {
    name: 'publish_skill',
    description:
      'Publishes one skill to the registry in a single commit. Pass exactly one of `files` and `local_folder`; either must hold a top-level `SKILL.md` whose front matter has a name and a description. The folder of the skill in the registry becomes exactly what is given: files that are missing from it are removed there. Other skills are not touched.',
    inputSchema: {
      type: 'object',
      properties: {
        name: {
          type: 'string',
          description:
            'The display name, such as "Auth skill". The slug is made from it; a skill that has this slug is replaced.',
        },
        files: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description:
            'Text of each file by its path relative to the skill, such as {"SKILL.md": "…", "resources/example.md": "…"}.',
        },
        local_folder: {
          type: 'string',
          description:
            'A folder of this machine that holds SKILL.md, absolute or beginning with ~. Names that begin with a dot, `node_modules` and `__pycache__` are left out.',
        },
      },
      required: ['name'],
      additionalProperties: false,
    },
    annotations: CHANGES,
    _meta: META,
  },
];

/** What a client puts before its model. */
export function instructions(registry: string): string {
  return [
    `The skills in ${registry}, a registry that this user owns. A skill is a folder of instructions and files for one kind of task.`,
    'Order: `list_skills` shows what there is → `get_skill` brings one to this machine; read its `SKILL.md`, then only what that names → `publish_skill` puts a new or changed skill into the registry, when the user asks for it.',
  ].join('\n');
}
