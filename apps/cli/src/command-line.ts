// The command line of Skillquay: reads arguments, runs one command, gives the process a sysexits code.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { CommandError, ExitCode } from './exit-codes.ts';
import { addRegistryCommands } from './registry/command.ts';
import { usageText } from './usage-text.ts';

function port(text: string): number {
  const value = Number(text);
  if (!/^\d{1,5}$/.test(text) || value > 65_535)
    throw new InvalidArgumentError('It is a number from 0 to 65535; 0 takes any free port.');
  return value;
}

const sourceHelp = `
A source is a folder, a bare repository, a git URL or an address:
  .                                   this folder as it is now, uncommitted work included
  https://github.com/acme/library     that repository, at /gh/acme/library
  git@example.com:team/skills.git     any remote your git can read
  /gh/acme/library@v2/marketing       an address: one directory at one ref
  acme/library=../skills              a folder or URL, served as /local/acme/library`;

/** Runs the command that the arguments name, to its end. */
export async function commandLine(args: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(args, { from: 'user' });
  } catch (error) {
    const isJson = asksForJson(args);
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? ExitCode.ok : ExitCode.usage;
      if (error.exitCode !== 0 && isJson) await printError('usage', usageText(error.message));
    } else if (error instanceof CommandError) {
      process.exitCode = error.exitCode;
      if (isJson && error.code !== undefined) await printError(error.code, error.message);
      else process.stderr.write(`skillquay: ${error.message}\n`);
    } else {
      const detail = error instanceof Error ? error.message : String(error);
      process.stderr.write(`skillquay: something went wrong that should not: ${detail}\n`);
      if (process.env.DEBUG === '1' && error instanceof Error) process.stderr.write(`${error.stack}\n`);
      process.exitCode = ExitCode.internal;
    }
  }
}

function program(): Command {
  const program = new Command('skillquay')
    .description('Serve any git repository of agent skills to an agent, through one address.')
    .version(packageJson.version)
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`skillquay: ${usageText(text)}`) })
    .addHelpText(
      'after',
      `
Try it:
  skillquay serve                      the skills in this folder, for any MCP client
  skillquay serve https://github.com/anthropics/skills
  skillquay mcp .                      the same over stdio, for a client that starts its servers
  skillquay check                      what an agent would get from this folder, and what it would not
  skillquay registry init me/skills    a repository of yours that agents list, fetch and publish skills in`,
    );

  const storeOption = new Option(
    '--store <dir>',
    'where indexes and fetched commits are kept (default: SNAPSHOT_STORE, else ~/.cache/skillquay)',
  );
  const asOption = new Option(
    '--as <owner/repo>',
    'serve a single folder or URL under this name instead of its own',
  );
  const refOption = new Option(
    '--ref <ref>',
    'serve this branch, tag or commit instead of the folder as it is now',
  );

  program
    .command('serve')
    .description('Serve repositories over HTTP and print the lines that add them to a client.')
    .argument('[sources...]', 'folders, git URLs or addresses (default: this folder)')
    .option('--port <number>', 'port to listen on; 0 takes any free one (default: PORT, else 4747)', port)
    .option('--host <name>', 'interface to listen on (default: HOST, else 127.0.0.1)')
    .addOption(storeOption)
    .addOption(asOption)
    .addOption(refOption)
    .option('--open', 'also serve every address of the configured hosts', false)
    .option('--json', 'print one line of JSON when ready, and nothing else', false)
    .addHelpText('after', sourceHelp)
    .action(async (sources, options) => {
      const { serve } = await import('./serve.ts');
      await serve(sources, options);
    });

  program
    .command('mcp')
    .description('Serve one repository over stdio, for a client that starts its servers itself.')
    .argument('[source]', 'a folder, a git URL or an address', '.')
    .addOption(storeOption)
    .addOption(asOption)
    .addOption(refOption)
    .addHelpText('after', sourceHelp)
    .action(async (source, options) => {
      const { mcp } = await import('./mcp.ts');
      await mcp(source, options);
    });

  program
    .command('check')
    .description('Say what an agent would get from a folder of skills, what it would not, and why.')
    .argument('[dir]', 'the folder', '.')
    .option('--strict', 'exit with 1 on warnings too', false)
    .option('--json', 'the same as --format json', false)
    .addOption(
      new Option('--format <format>', 'how to print it')
        .choices(['text', 'json', 'sarif', 'github'])
        .default('text'),
    )
    .option(
      '--fix',
      'repair what is mechanical: quote a value, rename `name` to its folder, rename skill.md',
      false,
    )
    .option('--verbose', 'also print what a client is told when it connects (text format)', false)
    .action(async (dir, options) => {
      const { check } = await import('./check.ts');
      process.exitCode = await check(dir, { ...options, format: options.json ? 'json' : options.format });
    });

  addRegistryCommands(program);
  pointToHelp(program, 'skillquay');

  program.hook('preAction', () => {
    try {
      process.cwd();
    } catch {
      throw new CommandError(
        ExitCode.badData,
        'The current folder is gone. Go to one that is there.',
        'invalid',
      );
    }
  });
  return program;
}

/** Whoever gave a wrong argument is pointed to the help of the command that does not take it. */
function pointToHelp(command: Command, called: string): void {
  command.showHelpAfterError(`(see \`${called} --help\`)`);
  for (const sub of command.commands) pointToHelp(sub, `${called} ${sub.name()}`);
}

/** Whoever wanted one document of a registry gets one for a wrong argument as well. */
function asksForJson([command, ...rest]: readonly string[]): boolean {
  return command === 'registry' && rest.includes('--json');
}

async function printError(code: string, message: string): Promise<void> {
  const { errorDocument, printJson } = await import('./registry/run.ts');
  printJson(errorDocument({ code, message }));
}
