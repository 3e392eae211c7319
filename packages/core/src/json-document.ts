// Reads from a JSON document how it introduces itself: the `title` and `description` at its top. Source: format, section 2.
import type { MarkdownFacts } from './facts.ts';
import { summaryText } from './lib/summary.ts';

/** Title and summary of the JSON text of a document; neither, if it is no object or no JSON. */
export function readJsonIntroduction(text: string): Pick<MarkdownFacts, 'title' | 'summary'> {
  const value = parse(text);
  const title = ownText(value, 'title');
  const summary = ownText(value, 'description');
  return { ...(title === '' ? {} : { title }), ...(summary === '' ? {} : { summary }) };
}

function parse(text: string): unknown {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  // Most JSON says neither, and need not be parsed to know it.
  if (!json.includes('"title"') && !json.includes('"description"')) return null;
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

function ownText(value: unknown, key: string): string {
  if (typeof value !== 'object' || value === null) return '';
  const own: unknown = Object.getOwnPropertyDescriptor(value, key)?.value;
  return typeof own === 'string' ? summaryText(own) : '';
}
