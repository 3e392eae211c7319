// `npm start`: from a fresh clone to a served example. Arguments go on to `skillquay serve`.
import { join } from 'node:path';
import { build, checkMachine, install, ROOT } from './lib/setup.mjs';

checkMachine();
install();
build();
const args = process.argv.slice(2);
const sources = args.length > 0 ? args : [join('examples', 'library')];
process.chdir(ROOT);
process.argv.splice(1, process.argv.length, join(ROOT, 'apps/cli/bin/skillquay.js'), 'serve', ...sources);
await import('../apps/cli/bin/skillquay.js');
