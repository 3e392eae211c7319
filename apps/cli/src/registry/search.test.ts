import { expect, it } from 'vitest';
import { ranked, termsOf } from './search.ts';

const skill = (slug: string, name: string, description: string) => ({
  ...{ slug, name, description, path: slug, tree: '', readable: true },
});
const SKILLS = [
  skill('csv-export', 'CSV export', 'Streams query results'),
  skill('notes', 'Release notes', 'Turns merged changes into notes'),
  skill('stream', 'Streaming', 'Reads streams of CSV'),
];
const found = (query: string) => ranked(SKILLS, termsOf(query)).map(({ slug }) => slug);

it.each([
  ['csv', ['csv-export', 'stream']],
  ['streams', ['stream', 'csv-export']],
  ['exporting CSV', ['csv-export', 'stream']],
  ['release-notes', ['notes']],
  ['nothing', []],
])('%s finds %o', (query, slugs) => {
  expect(found(query)).toEqual(slugs);
});
