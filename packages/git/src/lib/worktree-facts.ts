// What a private reader must know of a user's working tree: how its files compare, what it ignores, nested repositories.
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Located } from '../locate.ts';
import { runGit } from '../process.ts';
import { fileAt } from './worktree-files.ts';

/** Settings that say how files are compared with the index. None of them runs anything. */
const COMPARED_BY =
  /^core\.(filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|checkstat|trustctime)$/;

/** Configuration of the private repository, and the ignore patterns that lie outside the working tree. */
export async function looseSettings(located: Located | null): Promise<{ config: string; exclude: string }> {
  const context = located ? { repo: located.repo } : {};
  const listed = await runGit(['config', '--null', '--list'], { ...context, config: 'user' });
  const core: string[] = [];
  const named = new Set<string>();
  for (const line of listed.toString().split('\0')) {
    const [name, value = 'true'] = line.split('\n');
    if (name !== undefined) named.add(name);
    if (name !== undefined && COMPARED_BY.test(name) && /^\w+$/.test(value))
      core.push(`\t${name.slice('core.'.length)} = ${value}\n`);
  }
  const read = (path: string) => readFile(path, 'utf8').catch(() => '');
  const usual = join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git/ignore');
  // Git itself knows what `~` in a path means.
  const configured = named.has('core.excludesfile')
    ? await runGit(['config', '--null', '--type=path', '--get', 'core.excludesFile'], {
        ...context,
        config: 'user',
      }).then(
        (raw) => raw.toString().slice(0, -1),
        () => usual,
      )
    : usual;
  const exclude = [await read(resolve(located?.top ?? '/', configured))];
  if (located !== null) exclude.push(await read(located.exclude));
  return {
    config: `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${core.join('')}`,
    exclude: exclude.map((text) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)).join(''),
  };
}

/** The commit that a nested repository has checked out; null when it has none. `path` is a byte string. */
export async function headOf(top: string, path: string): Promise<string | null> {
  const cwd = fileAt(top, path).toString();
  const found = await runGit(['rev-parse', '--quiet', '--verify', 'HEAD^{commit}'], {
    cwd,
    // Without a repository of its own it must not answer with the outer one's commit.
    env: { GIT_CEILING_DIRECTORIES: resolve(cwd, '..') },
  }).catch(() => Buffer.alloc(0));
  return /^[0-9a-f]{40}\n$/.test(found.toString()) ? found.toString().trim() : null;
}
