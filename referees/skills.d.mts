// Types of skills.mjs for the tests.
export interface ServedSkill {
  readonly uri: string;
  readonly resources: readonly { readonly uri: string; readonly digest: string; readonly size: number }[];
}

export function verifySkills(
  url: string,
  mode?: 'legacy' | 'auto',
): Promise<{ readonly skills: readonly ServedSkill[]; readonly files: number; readonly bytes: number }>;
export function filesBelow(url: string, folder: string, mode?: 'legacy' | 'auto'): Promise<string[]>;
