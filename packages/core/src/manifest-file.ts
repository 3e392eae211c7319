// Reads a SKILLCDN.md. It decides what is published, so what cannot be read closes its folder. Source: format, sections 3 and 4.
import { diagnostic } from './diagnostics.ts';
import type { Diagnostic, ManifestFacts, Reading } from './facts.ts';
import { type Fields, readFrontMatter, type Value } from './front-matter.ts';
import { isBlank } from './lib/characters.ts';
import { FieldReader, isLanguageTag, notText, textFault } from './lib/fields.ts';
import { licenceGiven } from './lib/licence-key.ts';
import { positionAt } from './lib/position.ts';
import { offsetInFile } from './lib/value-offset.ts';
import { manifestPathFault } from './lib/written-path.ts';
import { MAX_DOCUMENT_DIRECTORIES, MAX_EXCLUDES, MAX_MANIFEST_BYTES } from './limits.ts';
import { basename, checkRepositoryPath, dirname, joinPath } from './paths.ts';
import { utf8Length } from './text.ts';
import { descriptionSignals, textSignals } from './trust-signals.ts';

export const MANIFEST_FILE = 'SKILLCDN.md';

const DESCRIPTION = { max: 1_024 };
const NAME = { max: 100, oneLine: true };
const UNBOUNDED = { max: Number.POSITIVE_INFINITY };
const TRANSLATION = { name: NAME, description: DESCRIPTION };
const MAX_IMAGE_URL_CHARACTERS = 2_048;

/** `value: null` closes the folder: the diagnostics hold `closed_scope`, and before it what is wrong in the file. */
export interface ManifestReading extends Reading<ManifestFacts> {
  /** UTF-16 offset at which the rules begin. */
  readonly bodyOffset: number;
}

/** Reads the text of the SKILLCDN.md at a repository-root path. */
export function readManifest(text: string, path: string): ManifestReading {
  const size = text.length > MAX_MANIFEST_BYTES / 3 ? utf8Length(text) : 0;
  if (size > MAX_MANIFEST_BYTES) {
    return {
      ...closedScope(path, diagnostic('too_large', { path, size, limit: MAX_MANIFEST_BYTES })),
      bodyOffset: 0,
    };
  }
  const front = readFrontMatter(text, path);
  const { bodyOffset } = front;
  if (front.kind !== 'read') return { ...closedScope(path, front.error), bodyOffset };
  const fields = new FieldReader(text, path);
  const value = readFields(fields, front.fields, dirname(path));
  if (value === null) return { ...closed(path, fields.diagnostics), bodyOffset };
  const valueAt = front.fields.get('description')?.at ?? 0;
  const placeOf = (at: number) => ({
    path,
    ...positionAt(text, offsetInFile(text, valueAt, value.description, at)),
  });
  fields.diagnostics.push(
    ...descriptionSignals(value.description, placeOf),
    ...textSignals(text, path, bodyOffset),
  );
  return { value, diagnostics: fields.diagnostics, bodyOffset };
}

/** The reading of a manifest that cannot be used because of `why`: also one that is no text, or no file. */
export function closedScope(path: string, why: Diagnostic): Reading<ManifestFacts> {
  return closed(path, [why]);
}

function closed(path: string, diagnostics: readonly Diagnostic[]): Reading<ManifestFacts> {
  const why = diagnostics.find(({ severity }) => severity === 'error') ?? diagnostics[0];
  const folder = dirname(path);
  const closing = diagnostic('closed_scope', {
    path,
    folder: folder === '' ? '/' : folder,
    reason: why?.message ?? '',
  });
  return { value: null, diagnostics: [...diagnostics, closing] };
}

function readFields(fields: FieldReader, given: Fields, folder: string): ManifestFacts | null {
  const description = readDescription(fields, given.get('description'));
  const exclude = readExclude(fields, given.get('exclude'), folder);
  if (description === null || exclude === null) return null;
  const name = fields.text('name', given.get('name'), NAME);
  const documents = readDocuments(fields, given.get('documents'), folder);
  const language = readLanguage(fields, given.get('language'));
  const image = readImage(fields, given.get('image'), folder);
  const metadata = fields.metadata('metadata', given.get('metadata'));
  const translations = fields.translations('translations', given.get('translations'), TRANSLATION);
  const licence = licenceGiven(given);
  return {
    ...(name === undefined ? {} : { name }),
    description,
    ...(documents === undefined ? {} : { documents }),
    exclude,
    ...(language === undefined ? {} : { language }),
    ...(image === undefined ? {} : { image }),
    ...readLicense(fields, licence.value, licence.disputed),
    ...(metadata === undefined ? {} : { metadata }),
    ...(translations === undefined ? {} : { translations }),
  };
}

function readDescription(fields: FieldReader, value: Value | undefined): string | null {
  if (value === undefined || (value.kind === 'text' && isBlank(value.text))) {
    fields.report('missing_description', value ?? null, {});
    return null;
  }
  if (value.kind === 'text') fields.checkCut('description', value);
  const text = value.kind === 'text' ? value.text.trim() : '';
  const reason = value.kind === 'text' ? textFault(text, DESCRIPTION) : notText(value);
  if (reason === null) return text;
  fields.report('invalid_description', value, { reason });
  return null;
}

/**
 * One entry that cannot be used, or may be half of what was meant, makes the whole list unusable: nobody can say what it
 * was to keep back.
 */
function readExclude(fields: FieldReader, value: Value | undefined, folder: string): string[] | null {
  if (value === undefined) return [];
  if (value.kind !== 'list') {
    const entry = value.kind === 'text' ? value.text : '(a map)';
    fields.report('invalid_exclude', value, { entry, reason: 'the field is a list, `[]` for none' });
    return null;
  }
  const paths: string[] = [];
  for (const [index, item] of value.items.entries()) {
    const read = ownPath(item, folder);
    const reason =
      index >= MAX_EXCLUDES
        ? `the list has more than ${MAX_EXCLUDES} entries`
        : item.kind === 'text' && item.cut
          ? 'a comment ends it at the ` #`; put the entry in quotes, and the comment behind them'
          : read.fault;
    if (reason !== undefined || read.path === undefined) {
      fields.report('invalid_exclude', item, { entry: shown(item), reason: reason ?? '' });
      return null;
    }
    if (item.kind === 'text' && /[*?[\]{}]|^!/.test(item.text))
      fields.report('exclude_is_literal', item, { entry: item.text });
    paths.push(read.path);
  }
  return [...new Set(paths)];
}

/** A bad entry is dropped; a field that is no list lists nothing, since it says that the default is not meant. */
function readDocuments(fields: FieldReader, value: Value | undefined, folder: string): string[] | undefined {
  if (value === undefined) return undefined;
  if (value.kind !== 'list') {
    fields.report('dropped_document_directory', value, {
      entry: shown(value),
      reason: 'the field is a list, `[]` for none',
    });
    return [];
  }
  const paths = new Set<string>();
  for (const item of value.items) {
    if (item.kind === 'text') fields.checkCut('documents', item);
    const { path, fault } = ownPath(item, folder);
    const full = paths.size >= MAX_DOCUMENT_DIRECTORIES;
    if (path !== undefined && !full) paths.add(path);
    else {
      const reason = full ? `the list has more than ${MAX_DOCUMENT_DIRECTORIES} entries` : (fault ?? '');
      fields.report('dropped_document_directory', item, { entry: shown(item), reason });
    }
  }
  return [...paths];
}

function shown(value: Value): string {
  return value.kind === 'text' ? value.text : `(a ${value.kind})`;
}

/** A path below the folder of the manifest; `.` is the folder. */
function ownPath(value: Value, folder: string): { path?: string; fault?: string } {
  if (value.kind !== 'text') return { fault: 'it is not a text' };
  const written = value.text;
  if (written === '.') return { path: folder };
  const path = joinPath(folder, written);
  const fault = manifestPathFault(written) ?? manifestPathFault(path);
  return fault === null ? { path } : { fault };
}

function readLanguage(fields: FieldReader, value: Value | undefined): string | undefined {
  const language = fields.text('language', value, UNBOUNDED);
  if (language === undefined || value === undefined || isLanguageTag(language)) return language;
  return fields.drop('language', value, 'is no language tag such as `en` or `pt-BR`');
}

/** A file of the repository, by its path from the folder or, with a leading `/`, from the root; or an https URL. */
function readImage(fields: FieldReader, value: Value | undefined, folder: string): string | undefined {
  const image = fields.text('image', value, { max: MAX_IMAGE_URL_CHARACTERS, oneLine: true });
  if (image === undefined || value === undefined) return undefined;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(image)) {
    return isHttpsUrl(image) ? image : fields.drop('image', value, 'is neither a path nor an https URL');
  }
  const relative = image.startsWith('/') ? image.slice(1) : image;
  if (checkRepositoryPath(relative) !== null)
    return fields.drop('image', value, 'is neither a path nor an https URL');
  return image.startsWith('/') ? relative : joinPath(folder, relative);
}

function isHttpsUrl(text: string): boolean {
  return /^https:\/\/[^\s/?#@\\]+(?:[/?#][^\s\\]*)?$/i.test(text);
}

function readLicense(
  fields: FieldReader,
  value: Value | undefined,
  disputed: boolean,
): Pick<ManifestFacts, 'license' | 'licenseUnreadable'> {
  if (disputed || (value !== undefined && value.kind !== 'text')) {
    fields.report('unreadable_license', value ?? null, {});
    return { licenseUnreadable: true };
  }
  const license = fields.text('license', value, UNBOUNDED);
  if (value?.cut) return { licenseUnreadable: true };
  return license === undefined ? {} : { license };
}

/** Paths that manifests exclude, added up from the root down. */
export type Exclusions = ReadonlySet<string>;

/** Whether a path or a folder above it is excluded: whole segments, literal. */
export function isExcluded(path: string, exclusions: Exclusions): boolean {
  if (exclusions.size === 0) return false;
  if (exclusions.has('') || exclusions.has(path)) return true;
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    if (exclusions.has(path.slice(0, slash))) return true;
  }
  return false;
}

/** The folder that an exclude entry withholds whole because it names the folder's manifest, or null. */
export function policyFolder(excluded: string): string | null {
  return basename(excluded) === MANIFEST_FILE ? dirname(excluded) : null;
}
