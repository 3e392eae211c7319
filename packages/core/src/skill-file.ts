// Reads a SKILL.md: its fields, where its body begins, and what its author should know. Source: format, section 2.
import { diagnostic } from './diagnostics.ts';
import type { Diagnostic, Reading, SkillFacts } from './facts.ts';
import { isJsonPath, isMarkdownPath } from './file-kind.ts';
import { type Fields, type FrontMatter, readFrontMatter, type Value } from './front-matter.ts';
import { isBlank } from './lib/characters.ts';
import { FieldReader, notText, textFault } from './lib/fields.ts';
import { licenceGiven } from './lib/licence-key.ts';
import { positionAt } from './lib/position.ts';
import { offsetInFile } from './lib/value-offset.ts';
import { skillPathFault } from './lib/written-path.ts';
import { MAX_DESCRIPTION_CHARACTERS, MAX_INCLUDES, MAX_SKILL_FILE_BYTES } from './limits.ts';
import { basename, dirname, joinPath } from './paths.ts';
import { codePointLength, utf8Length } from './text.ts';
import { askedScripts, descriptionSignals, textSignals } from './trust-signals.ts';

export const SKILL_FILE = 'SKILL.md';

const NAME = { max: 64, oneLine: true };
const COMPATIBILITY = { max: 500 };
const UNBOUNDED = { max: Number.POSITIVE_INFINITY };
const TRANSLATION = { title: { max: 200, oneLine: true }, description: { max: 1_024 } };
/** Lower-case letters (or letters of a script without case) and digits, joined by single hyphens. */
const HYPHENATED = /^[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+)*$/u;

export interface SkillFileReading extends Reading<SkillFacts> {
  /** UTF-16 offset at which the body begins: behind the closing line, or the whole text without front matter. */
  readonly bodyOffset: number;
  /** The error behind `recovered_front_matter`, which `check` counts as one; null if the YAML was read. */
  readonly recovered: Diagnostic | null;
}

/** Whether a file name would be `SKILL.md` but for its casing. */
export function isMisnamedSkillFile(name: string): boolean {
  return name.length === SKILL_FILE.length && name !== SKILL_FILE && name.toLowerCase() === 'skill.md';
}

/** Reads the text of the SKILL.md at a repository-root path. */
export function readSkillFile(text: string, path: string): SkillFileReading {
  const size = text.length > MAX_SKILL_FILE_BYTES / 3 ? utf8Length(text) : 0;
  if (size > MAX_SKILL_FILE_BYTES) {
    const error = diagnostic('too_large', { path, size, limit: MAX_SKILL_FILE_BYTES });
    return { value: null, diagnostics: [error], bodyOffset: 0, recovered: null };
  }
  const front = readFrontMatter(text, path, { recover: true });
  if (front.kind === 'invalid') return invalid(front, [front.error]);
  const fields = new FieldReader(text, path);
  const required = readRequired(fields, front.fields);
  if (required === null) {
    // Recovery is worth nothing without both; then the YAML error is what the author must hear of.
    return invalid(front, front.kind === 'recovered' ? [front.error] : fields.diagnostics);
  }
  const recovered = front.kind === 'recovered' ? front : null;
  if (recovered !== null) fields.diagnostics.push(recovered.warning);
  const scripts = askedScripts(text, front.bodyOffset);
  const value: SkillFacts = {
    ...required,
    ...readOptional(fields, front.fields, recovered?.uncertain ?? null, dirname(path)),
    ...(scripts.length === 0 ? {} : { scripts }),
  };
  warnOfName(fields, value.name, path, front.fields.get('name'));
  const valueAt = front.fields.get('description')?.at ?? 0;
  const placeOf = (at: number) => ({
    path,
    ...positionAt(text, offsetInFile(text, valueAt, value.description, at)),
  });
  fields.diagnostics.push(
    ...descriptionSignals(value.description, placeOf),
    ...textSignals(text, path, front.bodyOffset),
  );
  return {
    value,
    diagnostics: fields.diagnostics,
    bodyOffset: front.bodyOffset,
    recovered: recovered?.error ?? null,
  };
}

function invalid(front: FrontMatter, diagnostics: readonly Diagnostic[]): SkillFileReading {
  return { value: null, diagnostics, bodyOffset: front.bodyOffset, recovered: null };
}

function readRequired(fields: FieldReader, given: Fields): { name: string; description: string } | null {
  const name = readName(fields, given.get('name'));
  const description = readDescription(fields, given.get('description'));
  return name === null || description === null ? null : { name, description };
}

function readName(fields: FieldReader, value: Value | undefined): string | null {
  const text = value?.kind === 'text' ? value.text.trim() : '';
  if (value?.kind === 'text') fields.checkCut('name', value);
  if (value === undefined || (value.kind === 'text' && isBlank(text))) {
    fields.report('missing_name', value ?? null, {});
    return null;
  }
  const reason = value.kind === 'text' ? textFault(text, NAME) : notText(value);
  if (reason === null) return text;
  fields.report('invalid_name', value, { reason });
  return null;
}

function readDescription(fields: FieldReader, value: Value | undefined): string | null {
  if (value === undefined || (value.kind === 'text' && isBlank(value.text))) {
    if (value?.kind === 'text') fields.checkCut('description', value);
    fields.report('missing_description', value ?? null, {});
    return null;
  }
  if (value.kind !== 'text') {
    fields.report('invalid_description', value, { reason: notText(value) });
    return null;
  }
  fields.checkCut('description', value);
  const text = value.text.trim();
  const length = text.length > MAX_DESCRIPTION_CHARACTERS ? codePointLength(text) : 0;
  if (length > MAX_DESCRIPTION_CHARACTERS) fields.report('description_too_long', value, { length });
  return text;
}

type OptionalFacts = Omit<SkillFacts, 'name' | 'description'>;

/** `uncertain` names the keys that recovery did not read for certain; null if the YAML was read. */
function readOptional(
  fields: FieldReader,
  given: Fields,
  uncertain: ReadonlySet<string> | null,
  directory: string,
): OptionalFacts {
  const isUncertain = (key: string) => uncertain?.has(key) === true;
  const licence = licenceGiven(given);
  const drop = (key: string): undefined => {
    fields.report('dropped_field', given.get(key) ?? null, { field: key, reason: UNCERTAIN });
  };
  const certain = (key: string) => (isUncertain(key) ? drop(key) : given.get(key));
  // What is shown and decides nothing may be taken as it was typed.
  const typed = (key: string) => (isUncertain(key) && !given.has(key) ? drop(key) : given.get(key));
  // Nothing that decides what a skill consists of is taken from a recovery.
  const incomplete = uncertain !== null && (given.has('skillcdn') || isUncertain('skillcdn'));
  if (incomplete) fields.report('unrecovered_skillcdn', given.get('skillcdn') ?? null, {});
  const compatibility = fields.text('compatibility', typed('compatibility'), COMPATIBILITY);
  const allowedTools = fields.text('allowed-tools', certain('allowed-tools'), UNBOUNDED);
  const metadata = fields.metadata('metadata', certain('metadata'));
  return {
    ...readLicense(fields, licence.value, licence.disputed || isUncertain('license')),
    ...(compatibility === undefined ? {} : { compatibility }),
    ...(allowedTools === undefined ? {} : { allowedTools }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(incomplete ? { incomplete: true } : readSkillcdn(fields, given.get('skillcdn'), directory)),
  };
}

const UNCERTAIN = 'could not be read for certain, because the front matter is not valid YAML';

/**
 * A licence that is there and cannot be read is not silence: whoever serves the skill must not take it for consent. Nor
 * the part of it that stands before a comment: `MIT # non-commercial only`.
 */
function readLicense(
  fields: FieldReader,
  value: Value | undefined,
  uncertain: boolean,
): { license?: string; licenseUnreadable?: true } {
  if (uncertain || (value !== undefined && value.kind !== 'text')) {
    fields.report('unreadable_license', value ?? null, {});
    return { licenseUnreadable: true };
  }
  const license = fields.text('license', value, UNBOUNDED);
  if (value?.cut) return { licenseUnreadable: true };
  return license === undefined ? {} : { license };
}

function readSkillcdn(
  fields: FieldReader,
  value: Value | undefined,
  directory: string,
): Pick<SkillFacts, 'include' | 'translations'> {
  const map = fields.map('skillcdn', value);
  if (map === undefined) return {};
  const include = readInclude(fields, map.entries.get('include'), directory);
  const translations = fields.translations(
    'skillcdn.translations',
    map.entries.get('translations'),
    TRANSLATION,
  );
  return {
    ...(include === undefined ? {} : { include }),
    ...(translations === undefined ? {} : { translations }),
  };
}

function readInclude(fields: FieldReader, value: Value | undefined, directory: string): string[] | undefined {
  if (value === undefined) return undefined;
  if (value.kind !== 'list') return fields.drop('skillcdn.include', value, `is a ${value.kind}, not a list`);
  const paths = new Set<string>();
  for (const item of value.items) {
    const read = includePath(item, directory, paths);
    if (typeof read === 'string') paths.add(read);
    else
      fields.report('dropped_include', item, {
        entry: item.kind === 'text' ? item.text : `(a ${item.kind})`,
        ...read,
      });
  }
  return paths.size === 0 ? undefined : [...paths];
}

function includePath(
  item: Value,
  directory: string,
  others: ReadonlySet<string>,
): string | { reason: string } {
  if (item.kind !== 'text') return { reason: notText(item) };
  const written = item.text;
  const relative = written.startsWith('/') ? written.slice(1) : written;
  const fault = skillPathFault(relative);
  if (fault !== null) return { reason: `is no path: ${fault}` };
  if (!isMarkdownPath(relative) && !isJsonPath(relative)) return { reason: 'is neither Markdown nor JSON' };
  const path = written.startsWith('/') ? relative : joinPath(directory, relative);
  if (others.has(path)) return { reason: 'stands in the list twice' };
  return others.size < MAX_INCLUDES ? path : { reason: `is beyond the limit of ${MAX_INCLUDES} includes` };
}

function warnOfName(fields: FieldReader, name: string, path: string, value: Value | undefined): void {
  const at = value ?? null;
  const composed = name.normalize('NFC');
  if (!HYPHENATED.test(composed)) fields.report('name_not_hyphenated', at, { name });
  const directory = basename(dirname(path));
  // File systems differ in how they compose letters; the name of a directory is what it shows.
  if (directory !== '' && directory.normalize('NFC') !== composed) {
    fields.report('name_directory_mismatch', at, { name, directory });
  }
}
