// What a skill is given with where it lies, and is published without: rules above it, and files it includes from elsewhere.
import { decodeUtf8 } from '@skillquay/core/decode';
import { MANIFEST_FILE } from '@skillquay/core/manifest-file';
import { dirname } from '@skillquay/core/paths';
import { readSkillFile, SKILL_FILE } from '@skillquay/core/skill-file';

/** `folder`: of the skill in its repository, '' for the root. Paths of that repository, in the order they are given in. */
export function includedFromElsewhere(main: Uint8Array, folder: string): readonly string[] {
  const decoded = decodeUtf8(main);
  if (folder === '' || !decoded.ok) return [];
  const { value } = readSkillFile(decoded.text, `${folder}/${SKILL_FILE}`);
  return (value?.include ?? []).filter((path) => !path.startsWith(`${folder}/`));
}

/** Where rules for a folder may lie above it, from the root down. */
export function rulesAbove(folder: string): readonly string[] {
  const places: string[] = [];
  for (let at = folder; at !== ''; ) {
    at = dirname(at);
    places.unshift(at === '' ? MANIFEST_FILE : `${at}/${MANIFEST_FILE}`);
  }
  return places;
}

/** A line for people; none where nothing stays behind. */
export function behindLines(paths: readonly string[]): readonly string[] {
  if (paths.length === 0) return [];
  return [`not published with it: ${paths.join(', ')} (rules above it and files it includes from elsewhere)`];
}
