// Reads a folder with the builder's own code and says what an agent would get from it. Source: format, section 12.

import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import type { MountIdentity, MountOverview } from '@skillquay/core/answers';
import { renderInstructions } from '@skillquay/core/contract/instructions';
import type { Diagnostic, ManifestFacts, SkillFacts } from '@skillquay/core/facts';
import { forAuthor } from '@skillquay/core/for-author';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { addressOfSource } from '@skillquay/core/source-address';
import { openWorktree } from '@skillquay/git/worktree';
import type { BuildReport } from '@skillquay/snapshot/build';
import { buildIndex } from '@skillquay/snapshot/build';
import type { Index } from '@skillquay/snapshot/index';
import { openIndex } from '@skillquay/snapshot/index-file';
import { openSnapshot } from '@skillquay/snapshot/reader';
import { RowClass } from '@skillquay/snapshot/tables';
import { CommandError, ExitCode } from './exit-codes.ts';
import type { Progress } from './terminal.ts';
import { buildWorkerUrl } from './worker-url.ts';

/** Folders named in the instructions; what does not fit in them is left to browsing. */
const MAX_OVERVIEW_FOLDERS = 50;
const MAX_OVERVIEW_SKILLS = 24;

export interface CheckedSkill {
  readonly path: string;
  readonly facts: SkillFacts;
  readonly files: readonly string[];
  /** Why search and counts pass it over. */
  readonly undiscoverable?: string;
}

export interface CheckedManifest {
  readonly path: string;
  readonly facts: ManifestFacts;
}

/** Everything `check` prints, in plain data. */
export interface CheckReport {
  readonly folder: string;
  readonly counts: BuildReport['counts'];
  readonly manifests: readonly CheckedManifest[];
  readonly skills: readonly CheckedSkill[];
  readonly documents: readonly string[];
  readonly references: readonly string[];
  readonly withheld: BuildReport['withheld'];
  readonly excluded: readonly string[];
  readonly unaddressable: readonly string[];
  readonly partial: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** What a client's model is told when it connects. */
  readonly instructions: string;
}

/** Reads `dir`; nothing is written to it and nothing in it is run. Throws CommandError for what is no folder. */
export async function checkFolder(dir: string, progress: Progress): Promise<CheckReport> {
  const folder = await existingFolder(dir);
  const privateDir = await mkdtemp(join(tmpdir(), 'skillquay-check-'));
  try {
    const worktree = await openWorktree(folder, privateDir);
    const { repo, tree } = await worktree.snapshot();
    const commit = `worktree:${tree}`;
    const { chunks, report } = await buildIndex({
      identity: { repository: 'check', commit, rules: 'check' },
      git: repo,
      tree,
      limits: DEFAULT_LIMITS,
      workers: availableParallelism() - 1,
      workerUrl: buildWorkerUrl(),
      onProgress: ({ read, known }) => progress.show(`reading ${read} of ${known} files`),
    });
    progress.clear();
    return describe(folder, commit, openIndex(Buffer.concat(chunks)), report);
  } finally {
    await rm(privateDir, { recursive: true, force: true });
  }
}

async function existingFolder(dir: string): Promise<string> {
  const facts = await stat(dir).catch(() => null);
  if (facts === null) throw new CommandError(ExitCode.usage, `There is no folder ${resolve(dir)}.`);
  if (!facts.isDirectory())
    throw new CommandError(ExitCode.usage, `${resolve(dir)} is a file; check takes the folder it lies in.`);
  return realpath(dir);
}

function describe(folder: string, commit: string, index: Index, report: BuildReport): CheckReport {
  const ofClass = (wanted: number): string[] => {
    const paths: string[] = [];
    for (let row = 0; row < index.rowCount; row += 1)
      if (index.class[row] === wanted) paths.push(index.path(row));
    return paths;
  };
  return {
    folder,
    counts: report.counts,
    manifests: index.manifests.map(({ row, facts }) => ({ path: index.path(row), facts })),
    skills: skillsOf(index),
    documents: ofClass(RowClass.document),
    references: ofClass(RowClass.reference),
    withheld: report.withheld,
    excluded: report.excluded,
    unaddressable: report.unaddressable,
    partial: report.partial,
    diagnostics: report.diagnostics.map(({ ofFile: _, ...diagnostic }) => forAuthor(diagnostic)),
    instructions: renderInstructions(identityOf(folder, commit), {
      kind: 'ready',
      overview: overviewOf(index),
    }),
  };
}

function skillsOf(index: Index): CheckedSkill[] {
  const files: string[][] = Array.from({ length: index.skillCount }, () => []);
  for (let row = 0; row < index.rowCount; row += 1)
    if (index.class[row] === RowClass.supporting) files[index.owner[row] ?? -1]?.push(index.path(row));
  return files.map((own, number) => {
    const copyOf = index.skillCopyOf[number] ?? -1;
    const reason =
      copyOf >= 0
        ? `copy of ${index.path(index.skillRow[copyOf] ?? 0)}`
        : index.skillDiscoverable(number)
          ? null
          : 'hidden: the repository has visible skills';
    return {
      path: index.path(index.skillRow[number] ?? 0),
      facts: index.skill(number).facts,
      files: own,
      ...(reason === null ? undefined : { undiscoverable: reason }),
    };
  });
}

function identityOf(folder: string, commit: string): MountIdentity {
  const address = addressOfSource(folder);
  const repository = address.ok
    ? formatAddress(address.address)
    : `/local/${basename(dirname(folder))}/${basename(folder)}`;
  return { address: repository, repository, path: '', commit, ref: null, pinned: false, verified: false };
}

function overviewOf(index: Index): MountOverview {
  // Nothing is read but the index, so no bodies and no links are needed.
  const objects = { read: async () => null };
  const links = { raw: () => null, page: () => null };
  const mount = openSnapshot(index, objects, links).mount('');
  return (
    mount?.overview(MAX_OVERVIEW_FOLDERS, MAX_OVERVIEW_SKILLS) ?? {
      path: '',
      counts: { skills: 0, documents: 0 },
      folders: [],
      diagnostics: [],
      partial: null,
    }
  );
}
