// `skillquay registry add`: publishes skills from elsewhere: a folder, a repository on a host, any git URL.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { GitError } from '@skillquay/git/process';
import { HostError } from '@skillquay/hosts/host';
import { type Source, sourceFrom } from '@skillquay/hosts/sources';
import { slugify } from '@skillquay/registry/slug';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import { type FoundSkill, skillsIn } from './local-skills.ts';
import { withRemoteSkills } from './remote-skills.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';
import { upload } from './upload.ts';

export interface AddOptions {
  readonly skill?: string;
  readonly all: boolean;
  readonly ref?: string;
  /** Publish what `check` calls an error. */
  readonly force: boolean;
}

/** Places that a refusal lists. */
const MAX_LISTED = 50;

export async function add(argument: string, options: AddOptions, io: Io): Promise<Outcome> {
  const source = await sourceOf(argument, options, io);
  const session = await openSession(io);
  const { force } = options;
  const isFolder = source.kind === 'path' && source.ref === null && !(await isBare(source.path));
  if (isFolder) {
    const found = await skillsIn(source.path);
    const skills = chosen(found.skills, options, source.shown, found.notes);
    return upload(session, { skills, notes: found.notes, from: source.path, force }, io);
  }
  return withRemoteSkills(source, io, async ({ from, skills }) =>
    upload(session, { skills: chosen(skills, options, source.shown), notes: [], from, force }, io),
  ).catch((error: unknown) => {
    throw readable(error, source);
  });
}

/** What cannot be read, as a sentence that says of what. */
function readable(error: unknown, source: Source): unknown {
  if (error instanceof GitError && error.kind === 'failed')
    return new CommandError(
      ExitCode.badData,
      `Git could not read ${source.shown}. Clone it, and add the clone.`,
      'bad_data',
    );
  // An address is read by nobody; a URL by its user's git.
  const isPrivate = error instanceof HostError && error.code === 'mount.repo_not_found';
  if (source.kind !== 'address' || !isPrivate) return error;
  return new CommandError(
    ExitCode.badData,
    `There is no public repository ${source.shown}. For a private one, give the URL that your git reads it by.`,
    'no_such_source',
  );
}

async function sourceOf(argument: string, { ref }: AddOptions, io: Io): Promise<Source> {
  const isThere = (await stat(resolve(io.cwd, argument)).catch(() => null)) !== null;
  const isShort = /^\w[\w.-]*\/[\w.-]+(?:@[^\s:]+)?$/.test(argument);
  const found = await sourceFrom(isShort && !isThere ? `/gh/${argument}` : argument, {
    cwd: io.cwd,
    ref,
  });
  if (!found.ok) throw new CommandError(ExitCode.usage, found.message);
  return found.source;
}

async function isBare(path: string): Promise<boolean> {
  const there = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) =>
      stat(resolve(path, name)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return there.every((is) => is);
}

/** The skills that are meant; `shown` is their source. Throws CommandError. */
function chosen(
  skills: readonly FoundSkill[],
  { skill, all }: AddOptions,
  shown: string,
  notes: readonly string[] = [],
): readonly FoundSkill[] {
  if (skill !== undefined && all)
    throw new CommandError(ExitCode.usage, '--all is each skill; leave --skill out.');
  if (skills.length === 0)
    throw new CommandError(
      ExitCode.badData,
      [`${shown} has no skill: no folder of it has a SKILL.md.`, ...notes].join(' '),
    );
  if (all || (skill === undefined && skills.length === 1)) return skills;
  if (skill === undefined)
    throw new CommandError(
      ExitCode.usage,
      `${shown} has ${skills.length} skills. Name those you want with --skill, or take --all: ${listed(skills)}`,
    );
  const names = skill
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length === 0)
    throw new CommandError(ExitCode.usage, `--skill names no skill. ${shown} has ${listed(skills)}`);
  return [...new Set(names.map((name) => skillNamed(name, skills, shown)))];
}

/** By its path; else by its folder or the name in its front matter, as slugs compare. */
function skillNamed(name: string, skills: readonly FoundSkill[], shown: string): FoundSkill {
  const path = name.replace(/^\.\/|\/+$/g, '');
  const slug = slugify(name);
  const isNamed = ({ folder, name: own }: FoundSkill) => [folder, own].some((one) => slugify(one) === slug);
  const exact = skills.find(({ place }) => place === path);
  const [only, ...others] = exact ? [exact] : slug === '' ? [] : skills.filter(isNamed);
  if (only === undefined)
    throw new CommandError(ExitCode.usage, `${shown} has no skill "${name}". It has ${listed(skills)}`);
  if (others.length > 0)
    throw new CommandError(
      ExitCode.usage,
      `"${name}" could be each of these in ${shown}: ${listed([only, ...others])} Name one by its path.`,
    );
  return only;
}

function listed(skills: readonly FoundSkill[]): string {
  const rest = skills.length - MAX_LISTED;
  const places = skills.slice(0, MAX_LISTED).map(({ place, folder }) => (place === '.' ? folder : place));
  return `${places.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
