// The command `skill-registry-mcp`: serves the configured registry over standard input and output until its client ends.
import { finished } from 'node:stream';
import { parseArgs } from 'node:util';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { RegistryError } from '@skillquay/registry/errors';
import { boot } from './boot.ts';
import { COMMAND, ExitCode, exitCodeOf, failureText } from './failure.ts';
import { MAX_LINE_BYTES, wholeLines } from './lines.ts';
import { serveRegistry } from './server.ts';
import { VERSION } from './version.ts';

const HELP = `Usage: ${COMMAND} [--version] [--help]

Serves your own registry of agent skills to an MCP client that starts its servers: list_skills, get_skill, publish_skill.

The registry is a repository of yours:
  SKILLS_REGISTRY   owner/repo[@branch][:dir], /gh/owner/repo@branch/dir, or a git URL with #branch:dir
  or the file       ~/.config/skills-mcp/registry.toml (XDG_CONFIG_HOME), which \`skillquay registry init\` writes

On GitHub it needs a token: GH_TOKEN, GITHUB_TOKEN, or that of \`gh auth login\`. GH_HOST or GITHUB_API_URL name a GitHub
Enterprise host. For any other git URL your git is asked, with its own credentials.

  SKILLS_MAX_FILE_BYTES   bytes of the largest file that is published (2097152)
  DEBUG=1                 what lies behind an error, on standard error

Exit codes: 0 the client has ended, 2 configuration, 3 no token, 4 token refused, 70 anything else.
`;

/** How long a start goes on whose client has left, so that what is wrong is said where nobody ever was: `</dev/null`. */
const LEFT_MS = 1_000;

const debug = process.env.DEBUG === '1';
const stopping = new AbortController();
/** What came up beside the serving makes a success none: standard output that cannot be written, a message too long. */
let failed: ExitCode | undefined;

function fail(error: unknown): ExitCode {
  process.stderr.write(failureText(error, debug));
  return exitCodeOf(error);
}

/** What to print instead of serving; null to serve. Throws RegistryError `config`. */
function printed(args: readonly string[]): string | null {
  const options = { version: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values } = parseArgs({ args: [...args], options });
    return values.help === true ? HELP : values.version === true ? `${VERSION}\n` : null;
  } catch {
    // They are not said back: a URL among them may hold a password, and clients keep what is said here in files.
    throw new RegistryError(
      'config',
      'It takes no arguments but --version and --help. The registry is named by SKILLS_REGISTRY.',
    );
  }
}

async function main(): Promise<ExitCode> {
  const text = printed(process.argv.slice(2));
  if (text !== null) {
    process.stdout.write(text);
    return ExitCode.ok;
  }
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort());
  // Read from the start: only so is it seen that the client has left.
  const input = process.stdin.pipe(wholeLines());
  let isBooted = false;
  let patience: NodeJS.Timeout | undefined;
  finished(process.stdin, { writable: false }, () => {
    input.end();
    if (!isBooted) patience = setTimeout(() => stopping.abort(), LEFT_MS);
  });
  input.on('error', (error) => {
    failed ??= fail(error);
    stopping.abort();
  });
  try {
    const registry = await boot(process.env, stopping.signal);
    isBooted = true;
    clearTimeout(patience);
    const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: 2 * MAX_LINE_BYTES });
    const serving = serveRegistry({ registry, onFault: fail, transport });
    stopping.signal.addEventListener('abort', () => void serving.close());
    await serving.ended;
    return ExitCode.ok;
  } finally {
    clearTimeout(patience);
    process.stdin.unpipe(input).pause();
  }
}

process.stderr.on('error', () => {});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A client that has gone reads nothing any more, which is the end and no failure.
  if (error.code !== 'EPIPE') {
    failed ??= fail(new RegistryError('internal', `Standard output cannot be written (${error.code}).`));
    process.exitCode = failed;
  }
  stopping.abort();
});
process.on('uncaughtException', (error) => process.exit(fail(error)));
try {
  const code = await main();
  process.exitCode = failed ?? code;
} catch (error) {
  process.exitCode = failed ?? (stopping.signal.aborted ? ExitCode.ok : fail(error));
}
