// `skillquay registry add`: publishes skills from elsewhere: a folder, a repository on a host, any git URL.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HostError } from '@skillquay/hosts/host';
import { type Source, sourceFrom } from '@skillquay/hosts/sources';
import { resolveSlug, slugify } from '@skillquay/registry/slug';
import { CommandError, ExitCode } from '../exit-codes.ts';
import type { Io } from './io.ts';
import { type FoundSkill, skillsIn } from './local-skills.ts';
import { readAt, withRemoteSkills } from './remote-skills.ts';
import type { Outcome } from './run.ts';
import { openSession } from './session.ts';
import { upload } from './upload.ts';

export interface AddOptions {
  readonly skill?: string;
  readonly all: boolean;
  readonly ref?: string;
}

/** Places that a refusal lists. */
const MAX_LISTED = 50;

export async function add(argument: string, options: AddOptions, io: Io): Promise<Outcome> {
  const source = await sourceOf(argument, options, io);
  const session = await openSession(io);
  const isFolder = source.kind === 'path' && source.ref === null && !(await isBare(source.path));
  if (isFolder) {
    const found = await skillsIn(source.path);
    const wanted = chosen(
      found.map(({ place }) => place),
      options,
      argument,
    );
    return upload(
      session,
      found.filter(({ place }) => wanted.includes(place)),
      source.path,
      io,
    );
  }
  return withRemoteSkills(source, io, async ({ commit, places, read }) => {
    const found: readonly FoundSkill[] = await read(chosen(places, options, argument));
    return upload(session, found, readAt(source, commit), io);
  }).catch((error: unknown) => {
    // An address is read by nobody; a URL by its user's git.
    if (source.kind !== 'address' || !(error instanceof HostError) || error.code !== 'mount.repo_not_found')
      throw error;
    throw new CommandError(
      ExitCode.badData,
      `There is no public repository ${source.shown}. For a private one, give the URL that your git reads it by.`,
    );
  });
}

async function sourceOf(argument: string, { ref }: AddOptions, io: Io): Promise<Source> {
  const isThere = (await stat(resolve(io.cwd, argument)).catch(() => null)) !== null;
  const isShort = /^[\w.-]+\/[\w.-]+(?:@[^\s:]+)?$/.test(argument);
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

/** The places that are meant. Throws CommandError. */
function chosen(places: readonly string[], { skill, all }: AddOptions, argument: string): readonly string[] {
  if (places.length === 0)
    throw new CommandError(ExitCode.badData, `${argument} has no skill: no folder of it has a SKILL.md.`);
  if (skill !== undefined && all)
    throw new CommandError(ExitCode.usage, '--all is each skill; leave --skill out.');
  if (all || (skill === undefined && places.length === 1)) return places;
  if (skill === undefined)
    throw new CommandError(
      ExitCode.usage,
      `${argument} has ${places.length} skills. Name those you want with --skill, or take --all: ${listed(places)}`,
    );
  return skill
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => placeNamed(name, places, argument));
}

function placeNamed(name: string, places: readonly string[], argument: string): string {
  if (places.includes(name)) return name;
  const named = new Map(places.map((place) => [place.split('/').at(-1) ?? place, place]));
  const resolved = resolveSlug(name, [...named.keys()]);
  const place = resolved.kind === 'one' ? named.get(resolved.slug) : undefined;
  if (place !== undefined && slugify(name) !== '') return place;
  throw new CommandError(ExitCode.usage, `${argument} has no skill "${name}". It has ${listed(places)}`);
}

function listed(places: readonly string[]): string {
  const rest = places.length - MAX_LISTED;
  return `${places.slice(0, MAX_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`;
}
