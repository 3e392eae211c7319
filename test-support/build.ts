// What stands around a test run: tests run from source, but a worker thread starts from a file and the command is run as
// a process, so those are built first; and what tests leave behind goes with the run, whose workers are killed at its end.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  if (process.env.SKILLQUAY_BUILT !== '1') execFileSync('npx', ['tsdown'], { stdio: 'inherit' });
  const dir = mkdtempSync(join(tmpdir(), 'skillquay-tests-'));
  process.env.TMPDIR = dir;
  return () => rmSync(dir, { recursive: true, force: true });
}
