// How a user's working tree is to be read, as said by files outside it: settings of git, and patterns of what is ignored.
import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Located } from '../locate.ts';
import { runGit } from '../process.ts';

/** Settings that say how files are compared with the index. None of them runs anything. */
const COMPARED_BY =
  /^core\.(filemode|symlinks|ignorecase|precomposeunicode|protecthfs|protectntfs|checkstat|trustctime)$/;
/** UTF-8's mark at the start of a file, as a byte string. */
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

interface Settings {
  /** Configuration of the private repository. */
  readonly config: string;
  /** The user's own file of patterns; it need not exist. */
  readonly excludesFile: string;
  /** What tells that a file of settings changed, by its path: those git read, and those it would if they were there. */
  readonly stamps: ReadonlyMap<string, string>;
}

export class WorktreeRules {
  readonly #located: Located | null;
  #settings: Settings | undefined;

  constructor(located: Located | null) {
    this.#located = located;
  }

  /**
   * Configuration of the private repository, and the patterns that lie outside the working tree, a byte string
   * (latin1). The files are read each time: someone may have hidden a note a moment ago. Git is asked again only when
   * a file of settings changed.
   */
  async now(): Promise<{ config: string; exclude: string }> {
    const { config, excludesFile } = await this.#current();
    const read = async (path: string) => {
      const text = (await readFile(path, 'latin1').catch(() => '')).replace(BYTE_ORDER_MARK, '');
      return text === '' || text.endsWith('\n') ? text : `${text}\n`;
    };
    // Of two patterns the later one counts: as for git, that of the repository.
    const files = this.#located === null ? [excludesFile] : [excludesFile, this.#located.exclude];
    return { config, exclude: (await Promise.all(files.map(read))).join('') };
  }

  /** The files that said so the last time, and those between the top of the working tree and the folder. */
  get files(): string[] {
    const found = [...(this.#settings?.stamps.keys() ?? [])];
    if (this.#settings !== undefined) found.push(this.#settings.excludesFile);
    if (this.#located === null) return found;
    const { exclude, top, prefix } = this.#located;
    found.push(exclude);
    if (top === null || prefix === '') return found;
    for (let dir = dirname(join(top, prefix)); ; dir = dirname(dir)) {
      found.push(join(dir, '.gitignore'), join(dir, '.git'));
      if (dir === top || dir === dirname(dir)) return found;
    }
  }

  async #current(): Promise<Settings> {
    const last = this.#settings;
    // From before git reads them: what changes meanwhile is noticed the next time.
    const stamps = await stampsOf([...(last?.stamps.keys() ?? []), ...this.#usual()]);
    if (last !== undefined && [...last.stamps].every(([path, stamp]) => stamps.get(path) === stamp))
      return last;
    const told = await this.#ask().catch((error: unknown) => {
      if (last === undefined) throw error;
      return null;
    });
    // What git cannot read may be half written: until it can, what was said before holds.
    if (told === null) return last!;
    const { config, excludesFile, origins } = told;
    const unseen = await stampsOf(origins.filter((path) => !stamps.has(path)));
    const paths = new Set([...this.#usual(), ...origins]);
    this.#settings = {
      config,
      excludesFile,
      stamps: new Map([...stamps, ...unseen].filter(([path]) => paths.has(path))),
    };
    return this.#settings;
  }

  /** Where settings are that need not be there yet. */
  #usual(): string[] {
    const { GIT_CONFIG_GLOBAL } = process.env;
    const own = GIT_CONFIG_GLOBAL
      ? [resolve(GIT_CONFIG_GLOBAL)]
      : [join(userFolder(), 'config'), join(homedir(), '.gitconfig')];
    if (this.#located === null) return own;
    return [...own, this.#located.config, join(this.#located.repo.gitDir, 'config.worktree')];
  }

  async #ask() {
    const context = this.#located ? { repo: this.#located.repo } : {};
    const ask = (...args: string[]) =>
      runGit(['config', '--null', ...args], { ...context, config: 'user' }).then((raw) =>
        raw.toString().split('\0').slice(0, -1),
      );
    const listed = await ask('--list', '--show-origin');
    const core: string[] = [];
    const named = new Set<string>();
    const origins = new Set<string>();
    for (let i = 0; i + 1 < listed.length; i += 2) {
      // `file:<path>` or another kind of origin, then `<name>\n<value>`; a name without a value is true.
      const [, path] = /^file:(.*)$/s.exec(listed[i]!) ?? [];
      if (path !== undefined) origins.add(resolve(path));
      const [name = '', value = 'true'] = listed[i + 1]!.split('\n');
      named.add(name);
      if (COMPARED_BY.test(name) && /^\w+$/.test(value))
        core.push(`\t${name.slice('core.'.length)} = ${value}\n`);
    }
    const usual = join(userFolder(), 'ignore');
    // Git itself knows what `~` in a path means.
    const [excludesFile = usual] = named.has('core.excludesfile')
      ? await ask('--type=path', '--get', 'core.excludesFile').catch(() => [])
      : [];
    return {
      config: `[core]\n\trepositoryformatversion = 0\n\tbare = true\n${core.join('')}`,
      excludesFile: resolve(this.#located?.top ?? '/', excludesFile),
      origins: [...origins],
    };
  }
}

function userFolder(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git');
}

async function stampsOf(paths: readonly string[]): Promise<Map<string, string>> {
  const stamp = async (path: string): Promise<[string, string]> => {
    const facts = await stat(path).catch(() => null);
    return [path, facts === null ? '' : `${facts.ino} ${facts.size} ${facts.mtimeMs} ${facts.ctimeMs}`];
  };
  return new Map(await Promise.all([...new Set(paths)].map(stamp)));
}
