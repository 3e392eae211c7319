// Reads a folder with the builder's own code and says what an agent would get from it. Source: format, section 12.

import { realpath, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import type { MountIdentity } from '@skillquay/core/answers';
import { type MountState, renderInstructions } from '@skillquay/core/contract/instructions';
import { diagnostic } from '@skillquay/core/diagnostics';
import type { Diagnostic, ManifestFacts } from '@skillquay/core/facts';
import { forAuthor } from '@skillquay/core/for-author';
import { DEFAULT_LIMITS } from '@skillquay/core/limits';
import { SKILL_FILE } from '@skillquay/core/skill-file';
import { addressOfSource } from '@skillquay/core/source-address';
import { GitError } from '@skillquay/git/process';
import { saidBack } from '@skillquay/git/user-remote';
import { openWorktree } from '@skillquay/git/worktree';
import type { BuildReport } from '@skillquay/snapshot/build';
import { buildIndex } from '@skillquay/snapshot/build';
import type { Index } from '@skillquay/snapshot/index';
import { openIndex } from '@skillquay/snapshot/index-file';
import { openSnapshot } from '@skillquay/snapshot/reader';
import { RowClass } from '@skillquay/snapshot/tables';
import {
  type CheckedLicence,
  type CheckedSkill,
  describedOnly,
  type ExtensionStatus,
  extensionStatus,
  licencesOf,
  skillsOf,
  unlisted,
} from './checked-skills.ts';
import { CommandError, ExitCode } from './exit-codes.ts';
import { misplacedSkills } from './misplaced-skills.ts';
import { inPrivateDirectory } from './private-directory.ts';
import type { Progress } from './terminal.ts';
import { buildWorkerUrl } from './worker-url.ts';

/** Folders named in the instructions; what does not fit in them is left to browsing. */
const MAX_OVERVIEW_FOLDERS = 50;
const MAX_OVERVIEW_SKILLS = 24;

export interface CheckedManifest {
  readonly path: string;
  readonly facts: ManifestFacts;
}

/** Something named like a skill that is not served as one. */
export interface NotServed {
  readonly path: string;
  /** Of the diagnostic or the reason that says why. */
  readonly code: string;
}

/** Everything `check` prints, in plain data. */
export interface CheckReport {
  readonly folder: string;
  readonly counts: BuildReport['counts'];
  readonly manifests: readonly CheckedManifest[];
  readonly skills: readonly CheckedSkill[];
  readonly extension: ExtensionStatus;
  /** Of the skills that are counted, the most frequent first. */
  readonly licences: readonly CheckedLicence[];
  readonly notServed: readonly NotServed[];
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
  try {
    return await inPrivateDirectory((dir) => read(folder, dir, progress));
  } catch (error) {
    if (error instanceof GitError) throw gitFailure(folder, error);
    throw error;
  }
}

async function read(folder: string, privateDir: string, progress: Progress): Promise<CheckReport> {
  const worktree = await openWorktree(folder, privateDir, { maxFileBytes: DEFAULT_LIMITS.readFileBytes });
  if (worktree.located?.top === null)
    throw new CommandError(
      ExitCode.usage,
      `${folder} is a bare repository, and check reads a working folder: clone it and check the clone.`,
    );
  const { repo, tree } = await worktree.snapshot();
  const commit = `worktree:${tree}`;
  const { chunks, report } = await buildIndex({
    identity: { repository: 'check', commit, rules: 'check' },
    git: repo,
    tree,
    limits: DEFAULT_LIMITS,
    serving: 'licensed',
    workers: availableParallelism() - 1,
    workerUrl: buildWorkerUrl(),
    onProgress: ({ read, known }) => progress.show(`reading ${read} of ${known} files`),
  });
  progress.clear();
  const index = openIndex(Buffer.concat(chunks));
  const passedOver = new Set(report.excluded);
  const misplaced = await misplacedSkills(
    repo,
    tree,
    (path) => !passedOver.has(path) && isOutsideSkills(index, path),
  );
  return describe(folder, commit, index, report, misplaced);
}

function gitFailure(folder: string, { kind, message }: GitError): CommandError {
  switch (kind) {
    case 'missing':
      return new CommandError(ExitCode.configuration, `check reads folders with git: ${message}.`);
    case 'unsupported':
      return new CommandError(ExitCode.badData, `${folder} cannot be read: ${message}.`);
    default:
      return new CommandError(ExitCode.unavailable, `Git could not read ${folder}: ${message}.`);
  }
}

async function existingFolder(dir: string): Promise<string> {
  const facts = await stat(dir).catch(() => null);
  if (facts === null) throw new CommandError(ExitCode.usage, `There is no folder ${saidBack(resolve(dir))}.`);
  if (!facts.isDirectory())
    throw new CommandError(ExitCode.usage, `${resolve(dir)} is a file; check takes the folder it lies in.`);
  return realpath(dir);
}

/** A page of a skill, a README or a page that is linked to has its place. */
function isOutsideSkills(index: Index, path: string): boolean {
  const row = index.rowOf(path);
  return row === -1 || index.class[row] === RowClass.document;
}

function describe(
  folder: string,
  commit: string,
  index: Index,
  report: BuildReport,
  misplaced: readonly Diagnostic[],
): CheckReport {
  const ofClass = (wanted: number): string[] => {
    const paths: string[] = [];
    for (let row = 0; row < index.rowCount; row += 1)
      if (index.class[row] === wanted) paths.push(index.path(row));
    return paths;
  };
  const skills = skillsOf(index);
  return {
    folder,
    counts: report.counts,
    manifests: index.manifests.map(({ row, facts }) => ({ path: index.path(row), facts })),
    skills,
    extension: extensionStatus(skills),
    licences: licencesOf(skills),
    documents: ofClass(RowClass.document),
    references: ofClass(RowClass.reference),
    withheld: report.withheld,
    excluded: report.excluded,
    unaddressable: report.unaddressable,
    partial: report.partial,
    notServed: notServed(index, report),
    diagnostics: [
      ...(isAbsent(report) ? [diagnostic('no_skills', { path: '' })] : []),
      ...report.diagnostics.map(({ ofFile: _, ...found }) => forAuthor(found)),
      ...unlisted(index, report),
      ...skills.flatMap(describedOnly),
      ...misplaced,
    ],
    instructions: renderInstructions(identityOf(folder, commit), stateOf(index)),
  };
}

/** Entries named like a skill that are none: not those that an author excludes. */
function notServed(index: Index, { diagnostics, withheld }: BuildReport): NotServed[] {
  const codes = new Map<string, string>();
  for (const { path, code, severity } of diagnostics) {
    const rowClass = index.class[index.rowOf(path)];
    const isNone =
      rowClass === RowClass.invalidSkill || (rowClass === RowClass.withheld && isSkillFile(path));
    const isBroken = isNone && severity === 'error';
    if (isBroken || NOT_A_SKILL.has(code)) codes.set(path, codes.get(path) ?? code);
  }
  for (const { path, reason } of withheld) if (isSkillFile(path)) codes.set(path, codes.get(path) ?? reason);
  return [...codes].map(([path, code]) => ({ path, code }));
}

function isSkillFile(path: string): boolean {
  return basename(path) === SKILL_FILE;
}

/** Nothing here is even named like a skill. */
function isAbsent({ counts, diagnostics, withheld, excluded }: BuildReport): boolean {
  return (
    counts.skill + counts.invalidSkill === 0 &&
    !diagnostics.some(({ code, path }) => NOT_A_SKILL.has(code) || isSkillFile(path)) &&
    !withheld.some(({ path }) => isSkillFile(path)) &&
    !excluded.some(isSkillFile)
  );
}

const NOT_A_SKILL: ReadonlySet<string> = new Set([
  'misnamed_skill_file',
  'skill_is_symlink',
  'skill_is_submodule',
  'skill_is_directory',
]);

function identityOf(folder: string, commit: string): MountIdentity {
  const address = addressOfSource(folder);
  const repository = address.ok
    ? formatAddress(address.address)
    : `/local/${basename(dirname(folder))}/${basename(folder)}`;
  return { address: repository, repository, path: '', commit, ref: null, pinned: false, verified: false };
}

function stateOf(index: Index): MountState {
  // Nothing is read but the index, so no bodies and no links are needed.
  const objects = { read: async () => null };
  const links = { raw: () => null, page: () => null };
  const mount = openSnapshot(index, objects, links).mount('');
  const overview = mount?.overview(MAX_OVERVIEW_FOLDERS, MAX_OVERVIEW_SKILLS) ?? {
    path: '',
    counts: { skills: 0, documents: 0 },
    folders: [],
    diagnostics: [],
    partial: null,
  };
  return { kind: 'ready', overview, rootName: mount?.rootName ?? null };
}
