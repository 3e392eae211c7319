// Records as text in an index file: JSON with its keys in one order, so that equal records have equal bytes.
import { DIAGNOSTICS } from '@skillquay/core/diagnostics';
import type { AskedScript, ManifestFacts, SkillFacts, Translation } from '@skillquay/core/facts';
import type { LicenceKind, ResolvedLicence } from '@skillquay/core/licence';
import type {
  DiagnosticRecord,
  EncodedDiagnostic,
  EncodedSkill,
  ManifestRecord,
  SkillRecord,
  TextRecord,
} from '../tables.ts';

type Translations = Readonly<Record<string, Translation>>;

const SKILL_KEYS = [
  'name',
  'description',
  'license',
  'compatibility',
  'allowedTools',
  'metadata',
  'include',
  'translations',
  'incomplete',
  'licenseUnreadable',
  'scripts',
] as const;

const MANIFEST_KEYS = [
  'name',
  'description',
  'documents',
  'exclude',
  'language',
  'image',
  'license',
  'licenseUnreadable',
  'metadata',
  'translations',
] as const;

/** A diagnostic whose hint is the one of its code is written without it: an index may hold very many. */
const HINTS: ReadonlyMap<string, string> = new Map(
  Object.entries(DIAGNOSTICS).map(([code, { hint }]) => [code, hint]),
);

/** The record with its keys in the given order. Metadata stays in the order written: that order is content. */
function inOrder<T extends object, K extends keyof T>(record: T, keys: readonly K[]): Partial<Pick<T, K>> {
  const ordered: Partial<Pick<T, K>> = {};
  for (const key of keys) if (record[key] !== undefined) ordered[key] = record[key];
  return ordered;
}

function translationsInOrder(translations: Translations): Translations {
  return Object.fromEntries(
    Object.entries(translations).map(([tag, one]) => [tag, inOrder(one, ['title', 'name', 'description'])]),
  );
}

function factsInOrder<T extends { readonly translations?: Translations }, K extends keyof T>(
  facts: T,
  keys: readonly K[],
): Partial<Pick<T, K>> {
  return facts.translations === undefined
    ? inOrder(facts, keys)
    : inOrder({ ...facts, translations: translationsInOrder(facts.translations) }, keys);
}

type SkillText = readonly [SkillFacts, readonly number[], readonly string[]];

export function skillToText(record: SkillRecord | EncodedSkill): string | Uint8Array {
  if ('encoded' in record) return record.encoded;
  return JSON.stringify([factsInOrder(record.facts, SKILL_KEYS), record.includes, record.missingIncludes]);
}

export function skillFromText(
  text: string,
  columns: Pick<SkillRecord, 'row' | 'hidden' | 'copyOf' | 'discoverable' | 'licence'>,
): SkillRecord {
  const [facts, includes, missingIncludes]: SkillText = JSON.parse(text);
  return { ...columns, facts, includes, missingIncludes };
}

type ManifestText = readonly [string, ManifestFacts, string | null, string | null];

export function manifestToText(record: ManifestRecord): string {
  return JSON.stringify([
    record.folder,
    factsInOrder(record.facts, MANIFEST_KEYS),
    record.language ?? null,
    record.image ?? null,
  ]);
}

export function manifestFromText(text: string, row: number, licence: number): ManifestRecord {
  const [folder, facts, language, image]: ManifestText = JSON.parse(text);
  return {
    row,
    folder,
    facts,
    licence,
    ...(language === null ? {} : { language }),
    ...(image === null ? {} : { image }),
  };
}

type LicenceText = readonly [LicenceKind, string, string];

export function licenceToText({ kind, label, where }: ResolvedLicence): string {
  return JSON.stringify([kind, label, where]);
}

export function licenceFromText(text: string): ResolvedLicence {
  const [kind, label, where]: LicenceText = JSON.parse(text);
  return { kind, label, where };
}

type TextText = readonly [string | null, string | null];

export function textToText(record: TextRecord): string | Uint8Array {
  return record.encoded ?? JSON.stringify([record.title ?? null, record.summary ?? null]);
}

export function textFromText(text: string, row: number): TextRecord {
  const [title, summary]: TextText = JSON.parse(text);
  return { row, ...(title === null ? {} : { title }), ...(summary === null ? {} : { summary }) };
}

export function linksFromText(text: string): readonly string[] {
  const targets: readonly string[] = JSON.parse(text);
  return targets;
}

/** Code, line and column (0 = unknown), message, hint where it is not the usual one. */
type DiagnosticText = readonly [string, number, number, string, string?];

export function diagnosticToText(record: DiagnosticRecord | EncodedDiagnostic): string | Uint8Array {
  if ('encoded' in record) return record.encoded;
  const { code, line, column, message, hint } = record;
  const fixed = [code, line ?? 0, column ?? 0, message];
  return JSON.stringify(HINTS.get(code) === hint ? fixed : [...fixed, hint]);
}

export function decodedDiagnostic(record: DiagnosticRecord | EncodedDiagnostic): DiagnosticRecord {
  if (!('encoded' in record)) return record;
  const { encoded, number: _, ...columns } = record;
  const [code, line, column, message, hint = HINTS.get(code) ?? '']: DiagnosticText = JSON.parse(
    textOf(encoded),
  );
  return {
    code,
    ...columns,
    ...(line === 0 ? {} : { line }),
    ...(column === 0 ? {} : { column }),
    message,
    hint,
  };
}

const INCLUDE = Buffer.from('"include":');

/** What skills include, as their texts say it; undefined = nothing, and no text was parsed to find that out. */
export function includeOf(encoded: Uint8Array): readonly string[] | undefined {
  return viewOf(encoded).includes(INCLUDE) ? factsOf(encoded).include : undefined;
}

const SCRIPTS = Buffer.from('"scripts":');

/** What skills ask to run, likewise. */
export function scriptsOf(encoded: Uint8Array): readonly AskedScript[] | undefined {
  return viewOf(encoded).includes(SCRIPTS) ? factsOf(encoded).scripts : undefined;
}

const LICENSE = Buffer.from('"license');

/** What they say of their licence, likewise. */
export function licenceOf(encoded: Uint8Array): Pick<SkillFacts, 'license' | 'licenseUnreadable'> {
  return viewOf(encoded).includes(LICENSE) ? factsOf(encoded) : {};
}

export function factsOf(encoded: Uint8Array): SkillFacts {
  const [facts]: SkillText = JSON.parse(textOf(encoded));
  return facts;
}

/** How the text of a skill ends that includes nothing. */
const NO_INCLUDES = Buffer.from(',[],[]]');

export function includesNothing(encoded: Uint8Array): boolean {
  return NO_INCLUDES.every((byte, i) => encoded[encoded.length - NO_INCLUDES.length + i] === byte);
}

function textOf(encoded: Uint8Array): string {
  return viewOf(encoded).toString();
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
