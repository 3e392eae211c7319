// `skillquay registry list`: every skill of the registry.
import type { SkillList, SkillSummary } from '@skillquay/registry/registry';
import { counted } from '../count.ts';
import type { Io } from './io.ts';
import type { Outcome } from './run.ts';
import { notThere, openSession } from './session.ts';
import { table } from './table.ts';

export async function list(io: Io): Promise<Outcome> {
  const { registry } = await openSession(io);
  const found = await registry.list(io.call);
  if (found.missing) io.note(`note: ${notThere(registry.name).message}`);
  return { data: listData(registry.name, found, found.skills), text: listText(registry.name, found, io) };
}

export function listData(registry: string, { head, missing }: SkillList, skills: readonly SkillSummary[]) {
  return { registry, commit: head?.commit ?? null, missing, skills };
}

function listText(registry: string, { skills }: SkillList, io: Io): string {
  // A program that reads lines takes a sentence for a skill.
  if (skills.length === 0) return io.columns === null ? '' : `No skills found in ${registry}.`;
  const rows = skillRows(skills, io.columns);
  return io.columns === null ? rows : `${registry}: ${counted(skills.length, 'skill')}\n\n${rows}`;
}

export function skillRows(skills: readonly SkillSummary[], columns: number | null): string {
  const rows = skills.map(({ slug, name, description }) => [slug, name, description]);
  return table(['SLUG', 'NAME', 'DESCRIPTION'], rows, columns);
}
