// The command as a process: one command line, with whatever may come of its output.
import { allowClosedOutput } from './closed-output.ts';
import { commandLine } from './command-line.ts';

allowClosedOutput();
await commandLine(process.argv.slice(2));
