// Which class each entry of a tree falls in, decided from names, policy and which SKILL.md are valid. Source: format, section 1.
import { isJsonPath, isMarkdownPath } from '@skillquay/core/file-kind';
import { basename, compareUtf8, dirname, isBelow, isHidden } from '@skillquay/core/paths';
import { chooseReadme, isReadmePath } from '@skillquay/core/readme';
import { isMisnamedSkillFile, SKILL_FILE } from '@skillquay/core/skill-file';
import { belowAt } from './lib/build-ranges.ts';
import { type ManifestInForce, type Policy, Scope } from './policy.ts';
import { RowClass, RowMode, WITHHELD_REASONS, type WithheldReason } from './tables.ts';

/** Number under which a reason is stored. */
export function withheldNumber(reason: WithheldReason): number {
  return WITHHELD_REASONS.indexOf(reason);
}

/** Exactly `SKILL.md`, in any folder. */
export function isSkillPath(path: string): boolean {
  return path === SKILL_FILE || path.endsWith(`/${SKILL_FILE}`);
}

/** `SKILL.md` in any casing, in any folder. */
export function isNamedLikeSkill(path: string): boolean {
  return isSkillPath(path) || isMisnamedSkillFile(basename(path));
}

const SKILL_DIRECTORY = /(?:^|\/)skill\.md\//i;

/** The path of a folder that is called `SKILL.md`, in any casing, and holds a path; null without one. */
export function skillDirectoryOf(path: string): string | null {
  const inside = SKILL_DIRECTORY.exec(path);
  return inside === null ? null : path.slice(0, inside.index + inside[0].length - 1);
}

/** The folder in which an entry stands, or a folder that holds it, that is called like a SKILL.md; null without one. */
export function skillFolderOf(path: string): string | null {
  if (isNamedLikeSkill(path)) return dirname(path);
  const directory = skillDirectoryOf(path);
  return directory === null ? null : dirname(directory);
}

export interface Entries {
  /** The complete listing, in byte order. */
  readonly path: readonly string[];
  /** `RowMode` of each entry. */
  readonly mode: Uint8Array;
}

export interface Classes {
  /** `RowClass` of each entry, 0 = other. */
  readonly class: Uint8Array;
  /** Number of the reason for each withheld entry. */
  readonly withheld: Uint8Array;
  /** Entries of the valid skills, in path order; a skill's number is its position. */
  readonly skills: readonly number[];
  /** Number of the skill each entry belongs to, -1 without one. */
  readonly owner: Int32Array;
  /** Number of the skill whose directory is nearest upwards, whether the entry is served with it or not. */
  readonly nearest: Int32Array;
}

/**
 * `validSkill` holds 1 for each entry that is a valid SKILL.md. Entries from `kept` on are left out, but for manifests.
 * Sizes do not matter here, nor do links.
 */
export function classify(entries: Entries, policy: Policy, validSkill: Uint8Array, kept: number): Classes {
  const { path: paths, mode } = entries;
  const classes = new Uint8Array(paths.length);
  const withheld = new Uint8Array(paths.length);
  const skills: number[] = [];
  for (let i = 0; i < paths.length; i += 1) if (validSkill[i] === 1) skills.push(i);
  const folders = skills.map((entry) => dirname(paths[entry] ?? ''));
  const nearest = nearestSkills(paths, skills, folders);
  const owner = nearest.slice();
  const isManifest = new Uint8Array(paths.length);
  for (const manifest of policy.manifests) isManifest[manifest.entry] = 1;
  const closed = withheldNumber('closed_scope');
  const symlink = withheldNumber('symlink');
  const submodule = withheldNumber('submodule');

  for (let i = 0; i < paths.length; i += 1) {
    const scope = policy.scope[i];
    if (i >= kept || scope !== Scope.open) {
      owner[i] = -1;
      if (isManifest[i] === 1) classes[i] = RowClass.manifest;
      else if (i < kept && scope === Scope.closed) {
        classes[i] = RowClass.withheld;
        withheld[i] = closed;
      }
      continue;
    }
    const path = paths[i] ?? '';
    const skill = owner[i] ?? -1;
    const folder = skill === -1 ? '' : (folders[skill] ?? '');
    const visibleInSkill = skill !== -1 && !isHiddenBelow(path, folder);
    if (mode[i] === RowMode.symlink || mode[i] === RowMode.submodule) {
      classes[i] = RowClass.withheld;
      withheld[i] = mode[i] === RowMode.symlink ? symlink : submodule;
      if (!visibleInSkill) owner[i] = -1;
      continue;
    }
    if (validSkill[i] === 1) classes[i] = RowClass.skill;
    else if (isManifest[i] === 1) classes[i] = RowClass.manifest;
    else if (visibleInSkill && folder !== '') classes[i] = RowClass.supporting;
    else if (isDocumentPath(path, policy.manifests[policy.governing[i] ?? -1]))
      classes[i] = RowClass.document;
    else if (visibleInSkill) classes[i] = RowClass.supporting;
    else if (isNamedLikeSkill(path)) classes[i] = RowClass.invalidSkill;
    if (classes[i] !== RowClass.skill && classes[i] !== RowClass.supporting) owner[i] = -1;
  }
  return { class: classes, withheld, skills, owner, nearest };
}

/** The nearest skill directory at or above each entry, as a skill's number. */
function nearestSkills(
  paths: readonly string[],
  skills: readonly number[],
  folders: readonly string[],
): Int32Array {
  const nearest = new Int32Array(paths.length).fill(-1);
  skills.forEach((entry, number) => {
    const folder = folders[number] ?? '';
    const { from, to } = belowAt(paths, folder, entry);
    // What a skill further down has taken is its own: of two folders above a path the longer name is the lower one.
    for (let i = from; i < to; i += 1) {
      const other = nearest[i] ?? -1;
      if (other === -1 || (folders[other]?.length ?? 0) < folder.length) nearest[i] = number;
    }
  });
  return nearest;
}

/** Whether a path is hidden when seen from a folder that is named itself. */
export function isHiddenBelow(path: string, folder: string): boolean {
  return isHidden(folder === '' ? path : path.slice(folder.length + 1));
}

/** The document directories of a manifest in force, or of the root without one. */
export function documentDirectories(manifest: ManifestInForce | undefined): {
  readonly folders: readonly string[];
  readonly listed: boolean;
} {
  if (manifest?.facts.documents) return { folders: manifest.facts.documents, listed: true };
  const folder = manifest?.folder ?? '';
  return { folders: [folder === '' ? 'docs' : `${folder}/docs`], listed: false };
}

/** Whether a path lies in a document directory of `manifest`, which must be the nearest to it, and may be a document. */
export function isDocumentPath(path: string, manifest: ManifestInForce | undefined): boolean {
  if (!isMarkdownPath(path) && !isJsonPath(path)) return false;
  const { folders, listed } = documentDirectories(manifest);
  return folders.some((folder) => isBelow(path, folder) && !isHiddenBelow(path, listed ? folder : ''));
}

export interface Overview {
  readonly folder: string;
  readonly entry: number;
}

/**
 * The README of the root, and of each folder that a skill or document makes visible (format, section 7), in byte order
 * of the folders. `classes` must be final but for overviews and references.
 */
export function chooseOverviews(
  entries: Entries,
  policy: Policy,
  classes: Uint8Array,
  kept: number,
): Overview[] {
  const { path: paths, mode } = entries;
  const introduced = new Uint32Array(paths.length + 1);
  for (let i = 0; i < paths.length; i += 1) {
    const introduces = classes[i] === RowClass.skill || classes[i] === RowClass.document;
    introduced[i + 1] = (introduced[i] ?? 0) + (introduces ? 1 : 0);
  }
  const byFolder = new Map<string, number[]>();
  for (let i = 0; i < kept; i += 1) {
    const path = paths[i] ?? '';
    if (policy.scope[i] !== Scope.open || !isReadmePath(path)) continue;
    if (mode[i] === RowMode.symlink || mode[i] === RowMode.submodule || !mayIntroduce(classes[i] ?? 0, path))
      continue;
    const folder = dirname(path);
    const others = byFolder.get(folder);
    if (others) others.push(i);
    else byFolder.set(folder, [i]);
  }
  const overviews: Overview[] = [];
  for (const [folder, candidates] of byFolder) {
    const { from, to } = belowAt(paths, folder, candidates[0] ?? 0);
    if (folder !== '' && introduced[to] === introduced[from]) continue;
    const chosen = chooseReadme(candidates.map((entry) => basename(paths[entry] ?? '')));
    const entry = candidates.find((candidate) => basename(paths[candidate] ?? '') === chosen);
    if (entry !== undefined) overviews.push({ folder, entry });
  }
  return overviews.sort((a, b) => compareUtf8(a.folder, b.folder));
}

/** A README that is served anyway, or one that nothing hides. */
function mayIntroduce(rowClass: number, path: string): boolean {
  if (rowClass === RowClass.supporting || rowClass === RowClass.document) return true;
  return rowClass === 0 && !isHidden(path);
}
