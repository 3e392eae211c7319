// The kinds of variables there are: what a value must be, and what stands in its place.
import { z } from 'zod';

/** A variable: what it is for, the rule a value must meet, and what stands in its place when it is not set. */
export interface Variable<T> {
  readonly about: string;
  readonly rule: string;
  readonly schema: z.ZodType<T, string>;
  readonly fallback: T;
  /** How `.env.example` writes the fallback. */
  readonly shown: string;
  /** May come from a file named by `<NAME>_FILE`. */
  readonly secret?: true;
}

export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().int().min(min).max(max));
}

export function integer(about: string, min: number, max: number, fallback: number): Variable<number> {
  return {
    about,
    rule: `must be a whole number from ${min} to ${max}`,
    schema: wholeNumber(min, max),
    fallback,
    shown: String(fallback),
  };
}

export function baseUrl(about: string, fallback: string): Variable<string> {
  return {
    about,
    rule: 'must be an http:// or https:// URL without user name, password, query or fragment',
    schema: z
      .string()
      .refine((text) => isWebUrl(text))
      .transform((text) => text.replace(/\/+$/, '')),
    fallback,
    shown: fallback,
  };
}

export function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !url.search && !url.hash
  );
}

/** Items parted by commas or white space. */
export function list(
  about: string,
  rule: string,
  isItem: (text: string) => boolean,
): Variable<readonly string[]> {
  return {
    about,
    rule: `must be ${rule}, parted by commas or spaces`,
    schema: z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
      .pipe(z.array(z.string().refine(isItem))),
    fallback: [],
    shown: '',
  };
}

/** Any other kind. */
export const variable = <T>(v: Variable<T>): Variable<T> => v;
