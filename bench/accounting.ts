// Nothing silently missing: accounts for every tree entry named SKILL.md, in any casing, of the repositories given.
// `accounting <git dir>[#<tree>] …` prints a table per repository; exit code 1 if a sum does not match or too few are served.
import { spawnSync } from 'node:child_process';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { streamObjects } from '@skillquay/git/objects';
import { buildIndex } from '@skillquay/snapshot/build';
import type { Index } from '@skillquay/snapshot/index';
import { openIndex } from '@skillquay/snapshot/index-file';
import { listingReason } from '@skillquay/snapshot/not-listed';
import { RowClass } from '@skillquay/snapshot/tables';

/** Share of the files with a visible name and description that must be served. Source: "Nothing silently missing". */
const MIN_SERVED = 0.998;

interface Entry {
  readonly path: string;
  readonly oid: string;
  readonly isFile: boolean;
}

interface Account {
  readonly entries: number;
  /** How many fell where. */
  readonly fates: ReadonlyMap<string, number>;
  /** Skills by why the extension does not list them, '' where it does. */
  readonly listing: ReadonlyMap<string, number>;
  /** Entries that nothing accounts for. */
  readonly lost: readonly string[];
  /** Files of exactly that spelling in which a name and a description can be seen, and those of them that are skills. */
  readonly seen: number;
  readonly served: number;
  readonly notServed: readonly string[];
}

/** Every entry of that name, directories too, as git itself lists them. */
function namedLikeSkills(gitDir: string, tree: string): Entry[] {
  const listed = spawnSync('git', ['--git-dir', gitDir, 'ls-tree', '-r', '-t', '-z', tree], {
    maxBuffer: 1024 ** 3,
  });
  if (listed.status !== 0) throw new Error(listed.stderr.toString());
  const entries: Entry[] = [];
  for (const line of listed.stdout.toString('utf8').split('\0')) {
    const [head = '', path = ''] = line.split('\t', 2);
    if (path.split('/').at(-1)?.toLowerCase() !== 'skill.md') continue;
    const [mode = '', , oid = ''] = head.split(' ');
    entries.push({ path, oid, isFile: mode.startsWith('100') });
  }
  return entries;
}

/**
 * Sees a name and a description as a person skimming the file would: two lines of the block between dashes. Knows
 * nothing of YAML, and shares nothing with the reader.
 */
function showsNameAndDescription(text: string): boolean {
  const block = /^\ufeff?---[ \t]*\r?\n([\s\S]*?\n)---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  if (block === undefined) return false;
  const name = /^name[ \t]*:[ \t]*["']?[^\s"'#][^\n]*$/m.test(block);
  const description =
    /^description[ \t]*:(?:[ \t]*["']?[^\s"'#|>][^\n]*|[ \t]*[|>][-+0-9]*[ \t]+\S[^\n]*|[ \t]*[|>][-+0-9]*[ \t]*\r?\n[ \t]+\S[^\n]*|[ \t]*\r?\n[ \t]+\S[^\n]*)$/m;
  return name && description.test(block);
}

function listingOf(index: Index): Map<string, number> {
  const listing = new Map<string, number>();
  for (let skill = 0; skill < index.skillCount; skill += 1) {
    const reason = listingReason(index, skill);
    listing.set(reason, (listing.get(reason) ?? 0) + 1);
  }
  return listing;
}

/** What became of an entry; null = nothing tells. */
function fateOf(index: Index, excluded: ReadonlySet<string>, path: string): string | null {
  if (excluded.has(path)) return 'excluded';
  const row = index.rowOf(path);
  if (row !== -1 && index.class[row] === RowClass.skill) {
    const skill = index.owner[row] ?? -1;
    if (index.skillDiscoverable(skill)) return 'skill';
    return index.skillCopyOf[skill] === -1 ? 'hidden' : 'copy';
  }
  const told =
    index.diagnosticsOf(path).find(({ severity }) => severity === 'error') ?? index.diagnosticsOf(path)[0];
  if (told !== undefined) return told.code;
  return index.closedFolders.some((folder) => folder === '' || path.startsWith(`${folder}/`))
    ? 'closed_scope'
    : null;
}

async function account(gitDir: string, tree: string): Promise<Account> {
  const git = { gitDir, env: {} };
  const { chunks, report } = await buildIndex({
    identity: { repository: gitDir, commit: tree, rules: 'accounting' },
    git,
    tree,
    limits: DEFAULT_LIMITS,
    serving: 'licensed',
    workers: 2,
    workerUrl: new URL('./build-worker.js', import.meta.url),
  });
  const index = openIndex(Buffer.concat(chunks));
  const excluded = new Set(report.excluded);
  const entries = namedLikeSkills(gitDir, tree);
  const fates = new Map<string, number>();
  const lost: string[] = [];
  const fateByPath = new Map<string, string>();
  for (const { path } of entries) {
    const fate = fateOf(index, excluded, path);
    if (fate === null) lost.push(path);
    else {
      fates.set(fate, (fates.get(fate) ?? 0) + 1);
      fateByPath.set(path, fate);
    }
  }
  const files = entries.filter(
    ({ isFile, path }) => isFile && path.endsWith('SKILL.md') && fateByPath.get(path) !== 'excluded',
  );
  const oids = Buffer.concat(files.map(({ oid }) => Buffer.from(oid, 'hex')));
  const notServed: string[] = [];
  let seen = 0;
  let served = 0;
  await streamObjects(git, oids, (i, content) => {
    const path = files[i]?.path ?? '';
    if (content === null || !showsNameAndDescription(content.toString('utf8'))) return;
    seen += 1;
    if (['skill', 'copy', 'hidden'].includes(fateByPath.get(path) ?? '')) served += 1;
    else notServed.push(`${path} (${fateByPath.get(path)})`);
  });
  return { entries: entries.length, fates, listing: listingOf(index), lost, seen, served, notServed };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}

function print(name: string, { entries, fates, listing, lost, seen, served, notServed }: Account): void {
  console.log(`\n${name}`);
  const sum = [...fates.values()].reduce((total, count) => total + count, 0);
  for (const [fate, count] of [...fates].sort((a, b) => b[1] - a[1]))
    console.log(`  ${String(count).padStart(7)}  ${fate}`);
  console.log(`  ${String(sum).padStart(7)}  accounted for, of ${entries} entries named SKILL.md`);
  const skills = [...listing.values()].reduce((total, count) => total + count, 0);
  console.log(`  ${String(listing.get('') ?? 0).padStart(7)}  listed by the extension, of ${skills} skills`);
  for (const [reason, count] of [...listing].sort((a, b) => b[1] - a[1]))
    if (reason !== '') console.log(`  ${String(count).padStart(7)}    not listed: ${reason}`);
  for (const path of lost) console.log(`           lost: ${path}`);
  console.log(
    `  ${String(served).padStart(7)}  served, of ${seen} with a name and a description (${percent(served / Math.max(1, seen))})`,
  );
  for (const path of notServed.slice(0, 20)) console.log(`           not served: ${path}`);
}

let seen = 0;
let served = 0;
let lost = 0;
for (const argument of process.argv.slice(2)) {
  const [gitDir = '', tree = 'HEAD'] = argument.split('#', 2);
  const found = await account(gitDir, tree);
  print(argument, found);
  seen += found.seen;
  served += found.served;
  lost += found.lost.length;
}
const share = served / Math.max(1, seen);
console.log(
  `\nAll: ${lost} lost; ${served} of ${seen} served (${percent(share)}, at least ${percent(MIN_SERVED)} wanted)`,
);
process.exitCode = lost === 0 && share >= MIN_SERVED ? 0 : 1;
