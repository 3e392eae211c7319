// Tests run from source, but a worker thread starts from a file and the command is run as a process: build those first.
import { execFileSync } from 'node:child_process';

export default function setup(): void {
  if (process.env.SKILLQUAY_BUILT !== '1') execFileSync('npx', ['tsdown'], { stdio: 'inherit' });
}
