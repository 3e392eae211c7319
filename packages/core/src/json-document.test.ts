import { describe, expect, it } from 'vitest';
import { readJsonIntroduction } from './json-document.ts';

describe('a JSON document', () => {
  it('introduces itself with its title and description', () => {
    const text = '\ufeff{"$schema": "x", "title": "  Order\\n form ", "description": "What an order holds."}';
    expect(readJsonIntroduction(text)).toEqual({ title: 'Order form', summary: 'What an order holds.' });
  });

  it('has a summary of at most 200 characters', () => {
    const { summary } = readJsonIntroduction(JSON.stringify({ description: 'word '.repeat(100) }));
    expect(summary).toMatch(/ word…$/);
    expect(summary?.length).toBeLessThanOrEqual(200);
  });

  it.each([
    '',
    '[]',
    'null',
    '"title"',
    '{"title": 1, "description": ["x"]}',
    '{"title": "…", "description": " "}',
    '{"title": "unfinished',
    '{"__proto__": {"title": "x"}}',
    `{"title": ${'['.repeat(120_000)}`,
  ])('says nothing: %j', (text) => {
    expect(readJsonIntroduction(text)).toEqual({});
  });
});
