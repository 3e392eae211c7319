import { expect, test } from 'vitest';
import { localCommand } from './local-command.ts';

const COMMIT = 'a'.repeat(40);

test('a local file has a command that can be pasted', () => {
  expect(localCommand(COMMIT, 'a/b.md')).toBe(`git show ${COMMIT}:a/b.md`);
  expect(localCommand(COMMIT, "it's $(here)")).toBe(`git show '${COMMIT}:it'\\''s $(here)'`);
  expect(localCommand(`worktree:${COMMIT}`, 'a')).toBeNull();
});
