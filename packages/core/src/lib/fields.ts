// Takes fields out of front matter by their rules and remembers what could not be used. Source: format, sections 2 and 3.
import { type DiagnosticArguments, type DiagnosticCode, diagnostic } from '../diagnostics.ts';
import type { Diagnostic, Translation } from '../facts.ts';
import { MAX_TRANSLATIONS } from '../limits.ts';
import { codePointLength } from '../text.ts';
import { isBlank } from './characters.ts';
import { positionAt } from './position.ts';
import type { MapValue, TextValue, Value } from './yaml-tree.ts';

export interface TextRule {
  readonly max: number;
  readonly oneLine?: boolean;
}

const LINE_END = /[\n\r\u2028\u2029]/;
/** The shape of a BCP 47 tag; whether its parts are registered is nobody's business here. */
const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/;
const MAX_LANGUAGE_TAG_CHARACTERS = 35;

export function isLanguageTag(text: string): boolean {
  return text.length <= MAX_LANGUAGE_TAG_CHARACTERS && LANGUAGE_TAG.test(text);
}

/** What is wrong with a text, as the end of a sentence about it, or null. */
export function textFault(text: string, rule: TextRule): string | null {
  if (isBlank(text)) return 'is blank';
  if (rule.oneLine === true && LINE_END.test(text)) return 'has more than one line';
  if (text.length <= rule.max) return null;
  const length = codePointLength(text);
  return length <= rule.max
    ? null
    : `has ${length.toLocaleString('en-US')} characters, more than ${rule.max.toLocaleString('en-US')}`;
}

/** What a value is, where a text was wanted. */
export function notText(value: Value): string {
  return value.kind === 'list' ? 'is a list, not a text' : 'is a map, not a text';
}

/** One reading of one file: its fields, and the diagnostics so far. */
export class FieldReader {
  readonly diagnostics: Diagnostic[] = [];
  private readonly file: string;
  private readonly path: string;

  constructor(file: string, path: string) {
    this.file = file;
    this.path = path;
  }

  report<Code extends DiagnosticCode>(
    code: Code,
    value: Value | null,
    more: DiagnosticArguments<Code>,
  ): void {
    const place = value === null ? {} : positionAt(this.file, value.at);
    this.diagnostics.push(diagnostic(code, { path: this.path, ...place, ...more }));
  }

  drop(field: string, value: Value, reason: string): undefined {
    this.report('dropped_field', value, { field, reason });
  }

  /** Warns where a comment may have taken part of a value. */
  checkCut(field: string, value: TextValue): void {
    if (value.cut) this.report('commented_value', value, { key: field });
  }

  /** An optional text without the white space around it; dropped with a warning if the rule refuses it. */
  text(field: string, value: Value | undefined, rule: TextRule): string | undefined {
    if (value === undefined) return undefined;
    if (value.kind !== 'text') return this.drop(field, value, notText(value));
    this.checkCut(field, value);
    const text = value.text.trim();
    const fault = textFault(text, rule);
    return fault === null ? text : this.drop(field, value, fault);
  }

  map(field: string, value: Value | undefined): MapValue | undefined {
    if (value === undefined) return undefined;
    return value.kind === 'map' ? value : this.drop(field, value, `is a ${value.kind}, not a map`);
  }

  /** Text to text, in the order written; another value becomes its JSON text. */
  metadata(field: string, value: Value | undefined): Readonly<Record<string, string>> | undefined {
    const map = this.map(field, value);
    if (map === undefined) return undefined;
    const entries: [string, string][] = [];
    for (const [key, item] of map.entries) {
      if (item.kind === 'text') this.checkCut(`${field}.${key}`, item);
      else this.report('converted_metadata', item, { key });
      entries.push([key, item.kind === 'text' ? item.text : jsonText(item)]);
    }
    return entries.length === 0 ? undefined : record(entries);
  }

  /** Language tag to translated fields, each by its rule. */
  translations<Field extends keyof Translation>(
    field: string,
    value: Value | undefined,
    rules: Readonly<Record<Field, TextRule>>,
  ): Readonly<Record<string, Translation>> | undefined {
    const map = this.map(field, value);
    if (map === undefined) return undefined;
    const entries: [string, Translation][] = [];
    for (const [tag, item] of map.entries) {
      const name = `${field}.${tag}`;
      const translated = this.translation(name, tag, item, rules, entries.length);
      if (translated !== undefined) entries.push([tag, translated]);
    }
    return entries.length === 0 ? undefined : record(entries);
  }

  private translation(
    name: string,
    tag: string,
    value: Value,
    rules: Readonly<Record<string, TextRule>>,
    count: number,
  ): Translation | undefined {
    if (!isLanguageTag(tag)) return this.drop(name, value, 'has a key that is no language tag');
    if (count >= MAX_TRANSLATIONS)
      return this.drop(name, value, `is beyond the limit of ${MAX_TRANSLATIONS} translations`);
    const map = this.map(name, value);
    if (map === undefined) return undefined;
    const fields = Object.entries(rules).flatMap(([key, rule]) => {
      const text = this.text(`${name}.${key}`, map.entries.get(key), rule);
      return text === undefined ? [] : [[key, text] as const];
    });
    return fields.length === 0 ? undefined : record(fields);
  }
}

function jsonText(value: Value): string {
  return JSON.stringify(plain(value));
}

function plain(value: Value): unknown {
  if (value.kind === 'text') return value.text;
  return value.kind === 'list'
    ? value.items.map(plain)
    : record([...value.entries].map(([key, item]) => [key, plain(item)]));
}

/** An object that holds exactly these keys, whatever they are called: `__proto__` is a key like any other. */
export function record<T>(entries: Iterable<readonly [string, T]>): Record<string, T> {
  const object: Record<string, T> = Object.create(null);
  for (const [key, value] of entries) object[key] = value;
  return object;
}
