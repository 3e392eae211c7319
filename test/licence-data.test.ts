import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('the prepared licence data is what the SPDX list gives', () => {
  const checked = spawnSync(process.execPath, ['scripts/make-licence-data.mjs', '--check'], {
    encoding: 'utf8',
  });
  expect(checked.stderr).toBe('');
  expect(checked.status).toBe(0);
});
