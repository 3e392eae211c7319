// `npm test`: from a fresh clone to a verdict. Arguments go on to Vitest (a file, `-t name`, `--watch`).
import { join } from 'node:path';
import { build, checkMachine, install, ROOT, run } from './lib/setup.mjs';

checkMachine();
install();
install(join(ROOT, 'referees'));
build();
run('npx', ['vitest', 'run', ...process.argv.slice(2)], ROOT, { ...process.env, SKILLQUAY_BUILT: '1' });
