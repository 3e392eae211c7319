// `skillquay registry publish`: checks a folder as an agent would get it, and publishes it in one commit.
import { resolve } from 'node:path';
import { RegistryError } from '@skillquay/registry/errors';
import { publishedText, unchangedText } from '@skillquay/registry/text';
import { checkFolder } from '../check-folder.ts';
import { counted } from '../count.ts';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import { localSkill } from './local-skills.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';

export interface PublishCommandOptions {
  readonly name?: string;
  readonly force: boolean;
}

export async function publish(folder: string, options: PublishCommandOptions, io: Io): Promise<Outcome> {
  const { name, force } = options;
  const path = resolve(io.cwd, folder);
  const skill = await localSkill(path, name);
  const session = await openSession(io);
  const { registry } = session;
  const problems = await problemsOf(path, io);
  const errors = problems.filter(({ severity }) => severity === 'error');
  for (const { text } of problems) io.note(text);
  if (errors.length > 0 && !force)
    throw new RegistryError(
      'invalid',
      `An agent would not get this skill as it is (${counted(errors.length, 'error')}): ${errors.map(({ text }) => text).join(' ')} Mend it (\`skillquay check --fix\` mends what is mechanical), or publish it all the same with --force.`,
    );
  if (io.canAsk) await mayReplace();
  const { kind, slug, commit, url } = await registry.publish(skill.name, skill.source, {
    ...io.call,
    force,
  });
  return {
    data: { registry: registry.name, kind, slug, commit, url, problems: problems.map(({ text }) => text) },
    text:
      kind === 'published'
        ? publishedText(registry.name, slug, commit, url)
        : unchangedText(registry.name, slug, commit),
  };

  /** A person who publishes over a skill hears what of it changes. */
  async function mayReplace(): Promise<void> {
    const [plan] = await registry.plan([skill], { ...io.call, force });
    if (plan?.kind !== 'changed') return;
    const { added, changed, removed } = plan.differences;
    for (const [mark, paths] of [
      ['+', added],
      ['~', changed],
      ['-', removed],
    ] as const)
      for (const path of paths) io.say(`${mark} ${plan.slug}/${path}`);
    if (!(await io.confirm(`Replace \`${plan.slug}\` in ${registry.name}?`)))
      throw new CommandError(ExitCode.usage, 'Nothing was published.');
  }
}

interface Problem {
  readonly severity: 'error' | 'warning';
  readonly text: string;
}

/** What `check` says of the folder, errors first. */
async function problemsOf(path: string, io: Io): Promise<readonly Problem[]> {
  const { diagnostics } = await checkFolder(path, { show: io.doing, clear() {} });
  const problems = diagnostics.flatMap(({ severity, path, line, message, hint }) =>
    severity === 'info'
      ? []
      : [
          {
            severity,
            text: `${severity}: ${path === '' ? '' : `${path}${line === undefined ? '' : `:${line}`}: `}${message} ${hint}`,
          },
        ],
  );
  return problems.sort((a, b) => (a.severity === b.severity ? 0 : a.severity === 'error' ? -1 : 1));
}
