// `skillquay registry …`: the commands, their arguments and their help. docs/reference/registry.md is made of this.
import { type Command, InvalidArgumentError } from 'commander';
import { AGENTS } from './agents.ts';
import { run } from './run.ts';

const JSON_FLAG = [
  '--json',
  'print one JSON document, {"error":{code,message}} when it fails',
  false,
] as const;
const FORCE_FLAG = ['--force', 'publish what `skillquay check` calls an error', false] as const;
const YES_FLAG = ['-y, --yes', 'do not ask', false] as const;

/** A variable of a script that is not set is not the current folder. */
function given(text: string): string {
  if (text === '') throw new InvalidArgumentError('It is empty. Name a folder; `.` is this one.');
  return text;
}

export function addRegistryCommands(program: Command): Command {
  const registry = program
    .command('registry')
    .description('Keep your own skills in a repository of yours: list, get, publish.')
    .addHelpText('after', OVERVIEW);

  command(registry, 'init')
    .description(
      'Name the repository that is your registry, create it where it is missing, and connect clients.',
    )
    .argument(
      '[repository]',
      'owner/repo on GitHub, a git URL, or a folder for a bare repository (default: print the lines for the one that is named)',
    )
    .option('--branch <name>', 'the branch to use (default: the one the host calls its default)')
    .option('--dir <folder>', 'the folder of the repository that holds the skills (default: its root)')
    .option('--public', 'create a public repository instead of a private one', false)
    .option(...YES_FLAG)
    .addHelpText(
      'after',
      examples([
        ['init me/skills', 'a private repository on GitHub, created if it is missing'],
        ['init me/dotfiles --dir skills', 'one folder of a repository'],
        ['init git@example.com:me/skills.git', 'any remote that your git can push to'],
        ['init ~/skills.git', 'a bare repository on this machine'],
      ]),
    )
    .action((repository: string | undefined, options) =>
      run(options, async (io) => (await import('./init.ts')).init(repository, options, io)),
    );

  command(registry, 'list')
    .description('Show every skill of the registry.')
    .addHelpText(
      'after',
      '\nPiped, it prints a line for each skill: slug, name and description between tabs.',
    )
    .action((options) => run(options, async (io) => (await import('./list.ts')).list(io)));

  command(registry, 'search')
    .description('Show the skills whose slug, name or description has any of the words, best first.')
    .argument('<words...>', 'what to look for')
    .addHelpText('after', examples([['search release notes', '']]))
    .action((words: string[], options) =>
      run(options, async (io) => (await import('./search.ts')).search(words, io)),
    );

  command(registry, 'get')
    .description('Bring skills to this machine, and into the folders where agents look for skills.')
    .argument('<skills...>', 'slugs or names')
    .option('--agent <names>', `install for these agents: ${AGENTS.map(({ id }) => id).join(', ')}`)
    .option('--all', 'install for each of these agents', false)
    .option(
      '--project',
      'install for this project, which is the git work tree or this folder, and not for all of yours',
      false,
    )
    .option('--force', 'replace copies that were changed on this machine, without asking', false)
    .addHelpText(
      'after',
      `
Without --agent it prints the folder of each skill in the cache. With it, the skill is copied to a folder that is
named after its front matter; a copy that you changed is replaced only after you have seen what differs and agreed.
${examples([
  ['get release-notes', 'the folder, for a script'],
  ['get release-notes --agent claude,cursor', ''],
  ['get release-notes --agent copilot --project', ''],
])}`,
    )
    .action((skills: string[], options) =>
      run(options, async (io) => (await import('./get.ts')).get(skills, options, io)),
    );

  command(registry, 'publish')
    .description('Check a folder as an agent would get it, and publish it as a skill, in one commit.')
    .argument('[folder]', 'the folder that holds SKILL.md', given, '.')
    .option('--name <name>', 'publish under this name (default: that of the front matter)')
    .option(
      '--force',
      `${FORCE_FLAG[1]}, and an installed copy of which the registry has another version since`,
      false,
    )
    .option(...YES_FLAG)
    .addHelpText(
      'after',
      `
The skill in the registry becomes exactly what the folder holds; files that are missing here are removed there. Names
that begin with a dot, node_modules and __pycache__ stay here. You are asked before a skill that is there is replaced.
${examples([['publish ./release-notes', '']])}`,
    )
    .action((folder: string, options) =>
      run(options, async (io) => (await import('./publish.ts')).publish(folder, options, io)),
    );

  command(registry, 'remove')
    .description('Take a skill out of the registry. Its commits stay in the history.')
    .argument('<skill>', 'slug or name')
    .option(...YES_FLAG)
    .addHelpText('after', examples([['remove release-notes --yes', '']]))
    .action((skill: string, options) =>
      run(options, async (io) => (await import('./remove.ts')).remove(skill, io)),
    );

  command(registry, 'add')
    .description('Publish skills from elsewhere. Nothing of the source is run, and no link is followed.')
    .argument('<source>', 'a folder, owner/repo, an address or a git URL', given)
    .option('--skill <names>', 'these skills of the source, by path, folder or name')
    .option('--all', 'every skill of the source', false)
    .option('--ref <ref>', 'this branch, tag or commit of the source')
    .option(...FORCE_FLAG)
    .option(...YES_FLAG)
    .addHelpText(
      'after',
      examples([
        ['add anthropics/skills --skill pdf', ''],
        ['add /gh/acme/library@v2/marketing --all', ''],
        ['add ../somebody/skills', ''],
      ]),
    )
    .action((source: string, options) =>
      run(options, async (io) => (await import('./add.ts')).add(source, options, io)),
    );

  command(registry, 'sync')
    .description('Publish every skill of a folder of skills that differs from the registry.')
    .argument('<folder>', 'the folder whose folders are skills', given)
    .option(...FORCE_FLAG)
    .option(...YES_FLAG)
    .addHelpText(
      'after',
      `
It says first what is uploaded, and asks; with --json and without --yes it prints that plan and changes nothing. Skills
that are only in the registry stay there, installed copies that are behind it are left out, and links are not followed.
${examples([['sync ~/.claude/skills', '']])}`,
    )
    .action((folder: string, options) =>
      run(options, async (io) => (await import('./sync.ts')).sync(folder, options, io)),
    );

  command(registry, 'update')
    .description('Bring installed copies to what the registry has; what changes is shown first.')
    .argument('[skills...]', 'slugs or names (default: every copy that is behind)')
    .option('--force', 'replace copies that were changed on this machine, without asking', false)
    .option(...YES_FLAG)
    .addHelpText(
      'after',
      examples([
        ['update', ''],
        ['update release-notes --yes', ''],
      ]),
    )
    .action((skills: string[], options) =>
      run(options, async (io) => (await import('./update.ts')).update(skills, options, io)),
    );

  command(registry, 'status')
    .description('List installed copies that differ from the registry.')
    .addHelpText(
      'after',
      '\nPiped, it prints a line for each: slug, state and folder between tabs. With --json every copy is listed.',
    )
    .action((options) => run(options, async (io) => (await import('./status.ts')).status(io)));

  command(registry, 'doctor')
    .description('Check git, server, configuration, cache, credential and repository, and say what to do.')
    .action((options) => run(options, async (io) => (await import('./doctor.ts')).doctor(io)));

  return registry;
}

const OVERVIEW = `
The registry is a repository that you own; each folder of it with a SKILL.md is a skill. SKILLS_REGISTRY names it, else
the file that \`init\` writes. On GitHub a token is needed: GH_TOKEN, GITHUB_TOKEN, or that of \`gh auth login\`.
${examples([
  ['init me/skills', 'name it, and connect clients'],
  ['publish ./release-notes', 'a folder with a SKILL.md'],
  ['get release-notes --agent claude', 'install it for an agent'],
  ['doctor', 'when something does not work'],
])}

Exit codes: 0 done, 64 usage, 65 bad data, 69 the host does not answer, 74 the output cannot be written, 75 try again,
77 no permission or you said no, 78 configuration, 130 cancelled, 70 anything else.`;

function command(registry: Command, name: string): Command {
  return registry.command(name).option(...JSON_FLAG);
}

function examples(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([line]) => line.length));
  return [
    '',
    'Try it:',
    ...lines.map(([line, means]) => `  skillquay registry ${line.padEnd(width)}   ${means}`.trimEnd()),
  ].join('\n');
}
