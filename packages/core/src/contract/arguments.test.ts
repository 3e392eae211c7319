import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isToolName, validateArguments } from './arguments.ts';
import { TOOL_NAMES, TOOLS, USE_SKILL_PROMPT } from './tools.ts';

describe('arguments are taken', () => {
  test.each([
    ['browse_repo', undefined, { path: null, cursor: null, limit: null }],
    ['browse_repo', {}, { path: null, cursor: null, limit: null }],
    ['browse_repo', { path: '', limit: 200 }, { path: '', cursor: null, limit: 200 }],
    ['browse_repo', { path: 'a/b', cursor: 'x', limit: 1 }, { path: 'a/b', cursor: 'x', limit: 1 }],
    ['search_repo', { query: ' ad copy ' }, { query: ' ad copy ', path: null, cursor: null, limit: null }],
    [
      'search_repo',
      { query: '😀'.repeat(500), limit: 25 },
      { query: '😀'.repeat(500), path: null, cursor: null, limit: 25 },
    ],
    ['load_skill', { path: 'SKILL.md' }, { path: 'SKILL.md', cursor: null }],
    [
      'load_skill',
      { path: 'a b/SKILL.md', cursor: 'x'.repeat(512) },
      { path: 'a b/SKILL.md', cursor: 'x'.repeat(512) },
    ],
    ['read_repo_file', { path: 'a.md' }, { path: 'a.md', offset: 0, limit: null }],
    [
      'read_repo_file',
      { path: 'a.md', offset: 7, limit: 100_000 },
      { path: 'a.md', offset: 7, limit: 100_000 },
    ],
  ] as const)('%s %j', (tool, args, expected) => {
    expect(validateArguments(tool, args)).toEqual({ ok: true, arguments: { tool, ...expected } });
  });
});

describe('arguments are refused', () => {
  test.each([
    ['browse_repo', [], 'request.invalid', 'object'],
    ['browse_repo', 'x', 'request.invalid', 'object'],
    [
      'browse_repo',
      { depth: 2 },
      'request.invalid',
      'has no argument "depth"; it has path, cursor and limit',
    ],
    ['browse_repo', { __proto__x: 2 }, 'request.invalid', 'has no argument'],
    ['browse_repo', { path: null }, 'request.invalid', 'path is text'],
    ['browse_repo', { path: 3 }, 'request.invalid', 'path is text'],
    ['browse_repo', { path: '/' }, 'path.invalid', 'leading "/"'],
    ['browse_repo', { path: 'a/' }, 'path.invalid', 'write docs, not docs/'],
    ['browse_repo', { path: '../a' }, 'path.invalid', '".."'],
    ['browse_repo', { path: 'a\\b' }, 'path.invalid', 'backslash'],
    ['browse_repo', { path: 'a\u200bb' }, 'path.invalid', 'invisible'],
    ['browse_repo', { limit: 0 }, 'request.invalid', '1 to 200'],
    ['browse_repo', { limit: 201 }, 'request.invalid', '1 to 200'],
    ['browse_repo', { limit: 1.5 }, 'request.invalid', '1 to 200'],
    ['browse_repo', { limit: '20' }, 'request.invalid', '1 to 200, given as a number, not text'],
    ['browse_repo', { path: '/a/b' }, 'path.invalid', 'Here it would be "a/b".'],
    ['browse_repo', { path: './a//b/' }, 'path.invalid', 'Here it would be "a/b".'],
    ['load_skill', { path: '/a/SKILL.md' }, 'path.invalid', 'Here it would be "a/SKILL.md".'],
    ['read_repo_file', { path: './a.md' }, 'path.invalid', 'Here it would be "a.md".'],
    ['read_repo_file', { path: 'a\\b.md' }, 'path.invalid', 'Here it would be "a/b.md".'],
    ['browse_repo', { limit: Number.NaN }, 'request.invalid', '1 to 200'],
    ['browse_repo', { cursor: '' }, 'request.invalid', 'start again from the first page'],
    ['browse_repo', { cursor: 'x'.repeat(513) }, 'request.invalid', 'start again from the first page'],
    ['search_repo', {}, 'request.invalid', '1 to 500 characters'],
    ['search_repo', { query: ' \t\u3000 ' }, 'request.invalid', 'not blank'],
    ['search_repo', { query: '😀'.repeat(501) }, 'request.invalid', 'at most 500'],
    ['search_repo', { query: 'a', limit: 26 }, 'request.invalid', '1 to 25'],
    ['load_skill', {}, 'request.invalid', 'path is required'],
    ['load_skill', { path: '' }, 'path.invalid', 'empty'],
    ['load_skill', { path: 'ad-copy' }, 'path.invalid', 'exact path of a SKILL.md'],
    ['load_skill', { path: 'ad-copy/skill.md' }, 'path.invalid', 'exact path of a SKILL.md'],
    ['load_skill', { path: 'ad-copy/MY_SKILL.md' }, 'path.invalid', 'exact path of a SKILL.md'],
    ['load_skill', { path: 'a/SKILL.md', limit: 1 }, 'request.invalid', 'path and cursor'],
    ['read_repo_file', {}, 'request.invalid', 'path is required'],
    ['read_repo_file', { path: '' }, 'path.invalid', 'empty'],
    ['read_repo_file', { path: 'a', offset: -1 }, 'request.invalid', '0 or more'],
    ['read_repo_file', { path: 'a', offset: 2 ** 60 }, 'request.invalid', '0 or more'],
    ['read_repo_file', { path: 'a', limit: 0 }, 'request.invalid', '1 to 100000'],
    ['read_repo_file', { path: 'a', limit: 100_001 }, 'request.invalid', '1 to 100000'],
  ] as const)('%s %j', (tool, args, code, says) => {
    const result = validateArguments(tool, args);
    expect(result).toMatchObject({ ok: false, error: { code } });
    expect(!result.ok && result.error.message).toContain(says);
  });

  test('without a corrected path where there is none', () => {
    for (const path of ['/', '../a', '/../a', './a\u200bb', '.']) {
      const result = validateArguments('browse_repo', { path });
      expect(!result.ok && result.error.message).not.toContain('would be');
    }
  });

  test('whatever they are, without an exception', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TOOL_NAMES), fc.anything(), (tool, args) => {
        const result = validateArguments(tool, args);
        expect(result.ok || result.error.message.length > 0).toBe(true);
      }),
    );
  });
});

describe('each definition', () => {
  test.each(TOOLS)('$name says what is accepted', ({ name, inputSchema }) => {
    const least =
      name === 'search_repo' ? { query: 'a' } : name === 'browse_repo' ? {} : { path: 'a/SKILL.md' };
    expect(validateArguments(name, least).ok).toBe(true);
    for (const [property, rule] of Object.entries(inputSchema.properties)) {
      const accepts = (value: unknown): boolean =>
        validateArguments(name, { ...least, [property]: value }).ok;
      if (rule.type === 'integer') {
        expect([accepts(rule.minimum), accepts(rule.minimum - 1), accepts(rule.default)]).toEqual([
          true,
          false,
          true,
        ]);
        if (rule.maximum !== undefined)
          expect([accepts(rule.maximum), accepts(rule.maximum + 1)]).toEqual([true, false]);
      } else {
        const tail = rule.pattern?.startsWith('(^|/)') ? '/SKILL.md' : '';
        const longest = 'x'.repeat(rule.maxLength - tail.length) + tail;
        expect([accepts(longest), accepts(`x${longest}`)]).toEqual([true, false]);
        expect(rule.minLength === undefined).toBe(accepts(''));
        if (rule.pattern !== undefined) expect(new RegExp(rule.pattern, 'u').test(longest)).toBe(true);
      }
    }
    for (const required of inputSchema.required ?? []) {
      expect(validateArguments(name, { ...least, [required]: undefined }).ok).toBe(false);
    }
  });

  test('is read-only, idempotent and closed', () => {
    for (const { annotations, inputSchema } of TOOLS) {
      expect(annotations).toMatchObject({ readOnlyHint: true, idempotentHint: true, destructiveHint: false });
      expect(inputSchema.additionalProperties).toBe(false);
    }
    expect(TOOLS.map((tool) => tool.name)).toEqual(TOOL_NAMES);
    expect(isToolName('load_skill') && !isToolName('toString')).toBe(true);
    expect(USE_SKILL_PROMPT.arguments.map(({ name, required }) => [name, required])).toEqual([
      ['path', true],
    ]);
  });
});
