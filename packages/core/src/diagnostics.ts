// Every problem an author can be told about: one table of codes, severities, sentences and hints.
import type { Diagnostic, Severity } from './facts.ts';
import { escapeUnseen } from './lib/characters.ts';
import { cutAtWord, oneLine } from './text.ts';

interface Entry {
  readonly severity: Severity;
  /** One sentence; `{word}` stands for an argument. */
  readonly message: string;
  /** One sentence that says what to do. */
  readonly hint: string;
}

/** In the order in which they are explained to people. Source: format, sections 2–11. */
export const DIAGNOSTICS = {
  // Front matter that cannot be used.
  no_front_matter: {
    severity: 'error',
    message: 'The file does not begin with front matter.',
    hint: 'Make `---` the first line, write `name: …` and `description: …` below it, and close with another `---`.',
  },
  unterminated_front_matter: {
    severity: 'error',
    message: 'The front matter has no closing line.',
    hint: 'Put a line that holds nothing but `---` between the fields and the text.',
  },
  invalid_front_matter: {
    severity: 'error',
    message: 'The front matter is not valid YAML: {reason}.',
    hint: 'Put the value in quotes if it holds `: ` or begins with one of `[ ] { } & * ! | > % @` or a backtick.',
  },
  front_matter_too_long: {
    severity: 'error',
    message: 'The front matter has more than 16,384 characters.',
    hint: 'Move text from the fields to the body of the file.',
  },
  unsupported_yaml: {
    severity: 'error',
    message: 'The front matter uses {feature}.',
    hint: 'Write plain keys, texts, lists and maps; quote a value that only looks like more.',
  },
  duplicate_key: {
    severity: 'error',
    message: 'The key `{key}` stands twice in one map.',
    hint: 'Keep one of the two.',
  },
  forbidden_character: {
    severity: 'error',
    message: 'The front matter holds {character} in `{key}`, which a reader cannot see.',
    hint: 'Delete the character; it is often pasted along with text from a page or a chat.',
  },
  missing_name: {
    severity: 'error',
    message: 'The skill has no `name`.',
    hint: 'Add `name: ` with the name of its directory to the front matter.',
  },
  invalid_name: {
    severity: 'error',
    message: 'The `name` {reason}; it must be 1 to 64 characters on one line.',
    hint: 'Use the name of the directory, in lower case with hyphens.',
  },
  missing_description: {
    severity: 'error',
    message: 'The file has no `description`.',
    hint: 'Add `description: ` with one or two sentences that say what it does and when to use it.',
  },
  invalid_description: {
    severity: 'error',
    message: 'The `description` {reason}.',
    hint: 'Write the description as one text, in quotes if it begins with `[` or `{`.',
  },
  not_utf8: {
    severity: 'error',
    message: 'The file is not UTF-8 text; it looks like {format}.',
    hint: 'Save the file as UTF-8.',
  },
  too_large: {
    severity: 'error',
    message: 'The file has {size} bytes, more than the {limit} that are read.',
    hint: 'Split the file, or move parts of it to files that are read when they are needed.',
  },

  // Skills that are not where or what they should be.
  no_skills: {
    severity: 'error',
    message: 'No `SKILL.md` lies in this folder or below it.',
    hint: 'A skill is a folder with a `SKILL.md`: `name` and `description` between two lines `---`, then the instructions.',
  },
  misplaced_skill: {
    severity: 'info',
    message: 'The file has the `name` and `description` of a skill and is not one, because of its own name.',
    hint: 'If it is meant as a skill, move it to a folder of its own and call it `SKILL.md`.',
  },
  misnamed_skill_file: {
    severity: 'error',
    message: 'A skill is read from `SKILL.md`; `{name}` is spelled differently.',
    hint: 'Rename the file to `SKILL.md`.',
  },
  skill_is_symlink: {
    severity: 'error',
    message:
      'This `SKILL.md`, or the directory that should hold it, is a symbolic link; links are not followed.',
    hint: 'Commit the file itself in place of the link.',
  },
  skill_is_submodule: {
    severity: 'error',
    message: 'This is a submodule; its files belong to another repository.',
    hint: 'Address the other repository, or commit the files here.',
  },
  skill_is_directory: {
    severity: 'error',
    message: '`SKILL.md` is a directory.',
    hint: 'Make `SKILL.md` a file with front matter.',
  },

  // Front matter that is used, with reservations.
  recovered_front_matter: {
    severity: 'warning',
    message:
      'The front matter is not valid YAML: {reason}. Its lines were read as plain text; other tools may not see this skill.',
    hint: 'Put the value in quotes if it holds `: ` or begins with one of `[ ] { } & * ! | > % @` or a backtick.',
  },
  unrecovered_skillcdn: {
    severity: 'warning',
    message: 'The front matter is not valid YAML, so `skillcdn` was not read and the skill is not complete.',
    hint: 'Correct the YAML error.',
  },
  commented_value: {
    severity: 'warning',
    message: 'The value of `{key}` ends at a ` #`, which begins a comment.',
    hint: 'Put the value in quotes, with what follows the `#` if that belongs to it. A license cut short is not recognised.',
  },
  name_not_hyphenated: {
    severity: 'warning',
    message: 'The name `{name}` is not in lower case with hyphens; some clients refuse it.',
    hint: 'Use lower-case letters, digits and single hyphens, as in `release-notes`.',
  },
  name_directory_mismatch: {
    severity: 'warning',
    message:
      'The name `{name}` differs from the directory `{directory}`, so the skills extension does not list the skill, and some clients refuse it.',
    hint: 'Give both the same name.',
  },
  not_listed: {
    severity: 'warning',
    message: 'The skills extension does not list this skill: {reason}.',
    hint: 'The tools serve it all the same.',
  },
  description_too_long: {
    severity: 'warning',
    message: 'The description has {length} characters; clients expect at most 1,024.',
    hint: 'Say what the skill does and when to use it, and move the rest to the body.',
  },
  dropped_field: {
    severity: 'warning',
    message: '`{field}` is not used: it {reason}.',
    hint: 'Correct the field or delete it.',
  },
  unreadable_license: {
    severity: 'warning',
    message:
      '`license` is there and cannot be read as a text; it counts as a license that is not recognised.',
    hint: 'Write one SPDX identifier, such as `license: MIT`.',
  },
  converted_metadata: {
    severity: 'warning',
    message: 'The metadata value `{key}` is not a text; it is read as its JSON text.',
    hint: 'Write the value as a text, in quotes if need be.',
  },
  dropped_include: {
    severity: 'warning',
    message: 'The include `{entry}` is not used: it {reason}.',
    hint: 'Name a Markdown or JSON file of the skill, or a shared document by its path from the root with a leading `/`.',
  },
  suspicious_character: {
    severity: 'warning',
    message: 'The text holds {character}, which a reader cannot see.',
    hint: 'Delete the character if nothing needs it; hidden text can mislead whoever follows it.',
  },
  acts_against_user: {
    severity: 'warning',
    message: 'The text says “{phrase}”, which asks an agent to {purpose}.',
    hint: 'Say what the skill does without it; put an example of an attack in quotation marks or in code.',
  },
  missing_script: {
    severity: 'warning',
    message: 'The text asks to run `{script}`, which lies neither in the skill nor in a folder above it.',
    hint: 'Add the file to the skill, or say where it comes from.',
  },
  repeated_warning: {
    severity: 'warning',
    message: 'Further places of this file have the warning `{repeated}`: {count}, from here on.',
    hint: 'Look for them as well; only the first ones are named.',
  },

  // Manifests.
  closed_scope: {
    severity: 'error',
    message: 'Everything below `{folder}` is withheld, because its SKILLCDN.md cannot be used: {reason}.',
    hint: 'Correct the manifest; it decides what is published, so nothing is until it can be read.',
  },
  invalid_exclude: {
    severity: 'error',
    message: 'The `exclude` entry `{entry}` cannot be used: {reason}.',
    hint: 'List literal files or directories below the folder of the manifest, or `.` for all of it.',
  },
  excluded_policy: {
    severity: 'error',
    message: '`exclude` names `{entry}`, a manifest, so the whole of its folder is withheld.',
    hint: 'Exclude the folder itself if that is meant, else delete the entry.',
  },
  exclude_is_literal: {
    severity: 'warning',
    message: 'The `exclude` entry `{entry}` looks like a pattern; entries are literal names.',
    hint: 'Name each file or directory that is not to be published.',
  },
  dropped_document_directory: {
    severity: 'warning',
    message: 'The `documents` entry `{entry}` is not used: {reason}.',
    hint: 'List directories below the folder of the manifest, such as `docs`, or `.` for all of it.',
  },
  unused_exclude: {
    severity: 'warning',
    message: 'The `exclude` entry `{entry}` names nothing in this commit.',
    hint: 'Check the spelling: upper and lower case differ, and paths start at the folder of the manifest.',
  },

  // Files and entries that are not served.
  symlink: {
    severity: 'info',
    message: 'This is a symbolic link; links are not followed.',
    hint: 'Commit the file itself if it is to be served.',
  },
  submodule: {
    severity: 'info',
    message: 'This is a submodule; its files belong to another repository.',
    hint: 'Address the other repository to reach them.',
  },
  lfs_pointer: {
    severity: 'warning',
    message: 'The file is kept in Git LFS ({size} bytes); only its pointer is in the repository.',
    hint: 'Take it from the host, or commit the file itself.',
  },
  not_text: {
    severity: 'info',
    message: 'The file is not UTF-8 text, so it cannot be read as text here.',
    hint: 'Take its bytes from the host.',
  },
  object_missing: {
    severity: 'error',
    message: 'The repository names this file and does not hold its content.',
    hint: 'Check the repository with `git fsck`, or fetch it again.',
  },
  unreadable_file: {
    severity: 'error',
    message: 'The file lies in the folder and cannot be opened.',
    hint: 'Give the user that this runs as the permission to read it.',
  },
  unaddressable_path: {
    severity: 'warning',
    message: 'The path cannot be written in an address: {reason}.',
    hint: 'Rename the file or directory.',
  },
  case_collision: {
    severity: 'warning',
    message:
      'The path differs from `{other}` in upper and lower case alone; many systems hold only one of the two.',
    hint: 'Rename one of them.',
  },
  beyond_limit: {
    severity: 'warning',
    message: '{count} entries lie beyond the limit of {limit} {what} and are left out, in path order.',
    hint: 'Address a smaller repository, or raise the limit of this deployment.',
  },
  file_unavailable: {
    severity: 'warning',
    message: 'The included file `{file}` {reason}, so the skill is not complete.',
    hint: 'Commit the file as UTF-8 text, or take it off the list of includes.',
  },
  context_limit: {
    severity: 'warning',
    message:
      'The texts of the skill (rules, instructions, includes) take more than {limit} bytes; the last {count} of them are left out, so the skill is not complete.',
    hint: 'Include less, or put shorter rules above the skill.',
  },

  // Licences.
  described_only: {
    severity: 'info',
    message:
      'The skill is described and not served: its license, {license} (said by {where}), keeps the content at its source.',
    hint: 'To let it be passed on, say so there: the unchanged text of an open license, or an SPDX identifier such as `license: MIT`.',
  },
  kept_at_source: {
    severity: 'warning',
    message:
      'The skill needs `{file}`, which its license, {license}, keeps at its source, so the skill is not complete.',
    hint: 'Put the file under a license that lets it be passed on; an include can be taken off the list instead.',
  },

  // Links.
  link_text_limit: {
    severity: 'info',
    message: 'Links are looked for in the first {limit} characters of the file.',
    hint: 'Move the links that matter to the beginning, or split the file.',
  },
  link_target_limit: {
    severity: 'info',
    message: 'The file links to more than {limit} Markdown files; the rest of the links is not followed.',
    hint: 'Split the file, or link to an index of the others.',
  },
  link_work_limit: {
    severity: 'info',
    message: 'The file holds more than {limit} opening brackets; links behind those are not looked for.',
    hint: 'Close the brackets that are links, and put data into code blocks.',
  },
  link_step_limit: {
    severity: 'info',
    message: 'Links are followed {limit} steps from what is served; those of this file are not.',
    hint: 'Link to what matters from the skill or the overview itself.',
  },
} as const satisfies Record<string, Entry>;

export type DiagnosticCode = keyof typeof DIAGNOSTICS;

type Arguments<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Arguments<Rest>
  : never;

/** What the sentence of a code needs besides the place. */
export type DiagnosticArguments<Code extends DiagnosticCode> = {
  readonly [Name in Arguments<(typeof DIAGNOSTICS)[Code]['message']>]: string | number;
};

export interface DiagnosticPlace {
  /** Repository-root path; '' is the repository. */
  readonly path: string;
  /** 1-based; column in UTF-16 units, as editors count. */
  readonly line?: number;
  readonly column?: number;
}

/** Characters of one argument that are shown. */
const MAX_ARGUMENT_CHARACTERS = 200;

const ENDED = /[.!?…]$/;

/** Makes the diagnostic of a code. What comes from a repository is shown on one line, bounded, nothing invisible in it. */
export function diagnostic<Code extends DiagnosticCode>(
  code: Code,
  place: DiagnosticPlace & DiagnosticArguments<Code>,
): Diagnostic {
  const entry: Entry = DIAGNOSTICS[code];
  const given = new Map<string, unknown>(Object.entries(place));
  const message = entry.message.replace(/\{(\w+)\}(\.?)/g, (_, name: string, stop: string) => {
    const text = shown(given.get(name));
    // An argument may be a sentence itself: it ends once.
    return ENDED.test(text) ? text : text + stop;
  });
  return {
    code,
    severity: entry.severity,
    path: place.path,
    ...(place.line === undefined ? {} : { line: place.line }),
    ...(place.column === undefined ? {} : { column: place.column }),
    message,
    hint: entry.hint,
  };
}

function shown(argument: unknown): string {
  if (typeof argument === 'number') return argument.toLocaleString('en-US');
  return cutAtWord(escapeUnseen(oneLine(String(argument))), MAX_ARGUMENT_CHARACTERS);
}
