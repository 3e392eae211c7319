// `npm start`: from a fresh clone to a served example. Arguments go on to `skillquay serve`.
import { join } from 'node:path';
import { build, checkMachine, install, ROOT } from './lib/setup.mjs';

/** Options of `serve` whose value is the argument behind them. */
const VALUED = new Set(['--port', '--host', '--store', '--as', '--ref']);

checkMachine();
install();
build();
const args = process.argv.slice(2);
const namesSource = args.some((arg, at) => !arg.startsWith('-') && !VALUED.has(args[at - 1]));
const sources = namesSource ? [] : [join('examples', 'library')];
process.chdir(ROOT);
process.argv.splice(
  1,
  process.argv.length,
  join(ROOT, 'apps/cli/bin/skillquay.js'),
  'serve',
  ...sources,
  ...args,
);
await import('../apps/cli/bin/skillquay.js');
