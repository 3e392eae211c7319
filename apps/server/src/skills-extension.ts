// The skills extension over one mount: the listed skills, their files, and the folders they lie in, as MCP resources.
// Source: contract, The skills extension. Answers are bytes that are the same in both protocol eras.
import type { Address } from '@skillquay/core/address';
import { type AnswerError, isAnswerError } from '@skillquay/core/answers';
import type { DirectoryChild, ListedSkill, Mount } from '@skillquay/snapshot/reader';
import type { ResourceRequest } from './endpoint.ts';
import { contentsOf, FOLDER_TYPE, mediaType } from './lib/media-types.ts';
import { type SkillUris, skillUris } from './lib/skill-uris.ts';
import { type PageContext, pageOf } from './page.ts';

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** Bytes of the largest page of a list, its frame included; an entry that is larger has a page of its own. */
export const MAX_PAGE_BYTES = 1024 ** 2;
/** What stands around the entries: the server's name, the cursor, the cache fields. */
const PAGE_FRAME_BYTES = 8 * 1024;
/** Entries of a page of skills, and how many pages a walk to the end may take: the official client gives up at 64. */
const PAGE_SKILLS = 20;
const MAX_WALK_PAGES = 50;

const MANIFEST_TYPE = 'text/markdown';

/** What the extension needs of a mount. */
export type SkillListing = Pick<
  Mount,
  'path' | 'rootName' | 'listedCount' | 'listed' | 'listedAt' | 'resource' | 'children'
>;

export interface ResourceContext extends PageContext {
  readonly address: Address;
  readonly mount: SkillListing;
}

/** `uri`, `cursor`: the parameter names nothing here. `unreadable`: the file is there and could not be read now. */
export type ResourceOutcome =
  | { readonly json: Buffer }
  | { readonly refused: 'uri' | 'cursor' | 'unreadable' };

export async function answerResources(
  context: ResourceContext,
  request: ResourceRequest,
): Promise<ResourceOutcome> {
  const uris = skillUris(context.address, context.mount.rootName);
  switch (request.method) {
    case 'skills/list':
      return listSkills(context, request, 'skills', (skill) => skillEntry(uris, skill));
    case 'resources/list':
      return listSkills(context, request, 'resources', (skill) => manifestResource(uris, skill));
    case 'skills/get':
      return getSkill(context.mount, uris, request.uri);
    case 'resources/read':
      return readResource(context.mount, uris, request.uri);
    case 'resources/directory/read':
      return readFolder(context, uris, request.uri, request.cursor);
  }
}

/** What a list says while nothing is known yet; null for a method that answers about one URI. */
export function emptyPage(method: ResourceRequest['method']): Buffer | null {
  switch (method) {
    case 'skills/list':
      return Buffer.from('{"skills":[]}');
    case 'resources/list':
      return Buffer.from('{"resources":[]}');
    default:
      return null;
  }
}

function listSkills(
  context: ResourceContext,
  { method, cursor }: { readonly method: string; readonly cursor: string | null },
  key: string,
  entryOf: (skill: ListedSkill) => object,
): ResourceOutcome {
  const { mount } = context;
  const place = pageOf(context, method, mount.path, '', cursor);
  if (place === null) return { refused: 'cursor' };
  const { listedCount } = mount;
  const limit = Math.max(PAGE_SKILLS, Math.ceil(listedCount / MAX_WALK_PAGES));
  const from = place.position[0] ?? 0;
  return { json: page(key, each(mount.listed(from, limit), entryOf), from, listedCount, place.seal) };
}

function* each<T>(items: Iterable<T>, made: (item: T) => object): Generator<object> {
  for (const item of items) yield made(item);
}

function skillEntry(uris: SkillUris, { path, frontmatter, resources }: ListedSkill): object {
  return {
    uri: uris.of(path),
    frontmatter,
    resources: resources.map((file) => ({ uri: uris.of(file.path), digest: file.digest, size: file.size })),
  };
}

function manifestResource(uris: SkillUris, { path, name, description }: ListedSkill): object {
  return { uri: uris.of(path), name, description, mimeType: MANIFEST_TYPE };
}

function getSkill(mount: SkillListing, uris: SkillUris, uri: string): ResourceOutcome {
  const path = uris.pathOf(uri);
  const skill = path === null ? null : mount.listedAt(path);
  return skill === null ? { refused: 'uri' } : serialized({ skill: skillEntry(uris, skill) });
}

async function readResource(mount: SkillListing, uris: SkillUris, uri: string): Promise<ResourceOutcome> {
  const path = uris.pathOf(uri);
  if (path === null || path === '') return { refused: 'uri' };
  const answer = await mount.resource(path);
  if (isAnswerError(answer)) return { refused: refusalOf(answer) };
  return serialized({ contents: [{ uri: uris.of(path), ...contentsOf(path, answer.bytes) }] });
}

function refusalOf({ error }: AnswerError): 'uri' | 'unreadable' {
  return error.code === 'file.unavailable' ? 'unreadable' : 'uri';
}

function readFolder(
  context: ResourceContext,
  uris: SkillUris,
  uri: string,
  cursor: string | null,
): ResourceOutcome {
  const path = uris.pathOf(uri);
  const children = path === null ? null : context.mount.children(path);
  if (path === null || children === null) return { refused: 'uri' };
  const place = pageOf(context, 'resources/directory/read', path, '', cursor);
  if (place === null) return { refused: 'cursor' };
  const from = place.position[0] ?? 0;
  const entries = resourcesOf(uris, children, from);
  return { json: page('resources', entries, from, children.length, place.seal) };
}

/** One by one: a folder may hold far more than a page. */
function* resourcesOf(uris: SkillUris, children: readonly DirectoryChild[], from: number): Generator<object> {
  for (let at = from; at < children.length; at += 1) {
    const child = children[at];
    if (child === undefined) return;
    const { path, kind } = child;
    const name = path.slice(path.lastIndexOf('/') + 1);
    yield { uri: uris.of(path), name, mimeType: kind === 'folder' ? FOLDER_TYPE : mediaType(path) };
  }
}

/** As many entries as fit, at least one where there is one; `total` counts those of all pages. */
function page(
  key: string,
  entries: Iterable<object>,
  from: number,
  total: number,
  seal: (position: readonly number[]) => string,
): Buffer {
  const written: string[] = [];
  let bytes = PAGE_FRAME_BYTES;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MAX_PAGE_BYTES && written.length > 0) break;
    written.push(text);
  }
  const next = from + written.length;
  const more = next < total ? `,"nextCursor":${JSON.stringify(seal([next]))}` : '';
  return Buffer.from(`{"${key}":[${written.join()}]${more}}`);
}

function serialized(result: object): ResourceOutcome {
  return { json: Buffer.from(JSON.stringify(result)) };
}
