// The display name of a skill: what its front matter says, else the folder it lies in.
import { decodeUtf8 } from '@skillquay/core/decode';
import { readSkillFile, SKILL_FILE } from '@skillquay/core/skill-file';

export function skillNameOf(main: Uint8Array, folder: string): string {
  const decoded = decodeUtf8(main);
  const name = decoded.ok ? readSkillFile(decoded.text, SKILL_FILE).value?.name.trim() : undefined;
  return name === undefined || name === '' ? folder : name;
}
