// What is wrong with a path that an author wrote in front matter, as the end of a sentence.
import { MAX_PATH_CHARACTERS, type PathFault, pathFault } from '../paths.ts';

const ANY: Readonly<Record<PathFault, string>> = {
  empty: 'it is empty',
  leading_slash: 'a path has one "/" at its beginning at most',
  trailing_slash: 'a path has no "/" at its end: write drafts, not drafts/',
  backslash: 'a path separates its parts with "/" and has no backslash: write drafts/old.md',
  empty_part: 'a path has no empty part: write drafts/old.md, not drafts//old.md',
  dot_part: 'a path has no "." or ".." part',
  unseen: 'a path has no control, bidirectional or invisible character',
  too_long: `a path has at most ${MAX_PATH_CHARACTERS.toLocaleString('en-US')} characters from the repository root on`,
};

const FROM_MANIFEST: Readonly<Record<PathFault, string>> = {
  ...ANY,
  empty: 'it is empty; write a path such as drafts, or `.` for the whole folder',
  leading_slash:
    'paths start at the folder of the manifest, without a leading "/": write drafts, not /drafts',
  dot_part: 'a path has no "." or ".." part; it names what lies below the folder of the manifest',
};

const FROM_SKILL: Readonly<Record<PathFault, string>> = {
  ...ANY,
  dot_part:
    'a path has no "." or ".." part; write it from the directory of the skill, or from the repository root with a leading "/"',
};

/** For a path that is written from the folder of a manifest. Null = nothing is wrong. */
export function manifestPathFault(written: string): string | null {
  const fault = pathFault(written);
  return fault === null ? null : FROM_MANIFEST[fault];
}

/** For a path that is written from the directory of a skill, or from the root without its leading slash. */
export function skillPathFault(written: string): string | null {
  const fault = pathFault(written);
  return fault === null ? null : FROM_SKILL[fault];
}
