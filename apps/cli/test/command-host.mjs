// Runs command lines in one process, one after the other, each as if it had the process for itself: its arguments,
// environment and folder, and an end only when nothing is under way any more. `command-session.ts` asks it.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { commandLine } from '../dist/command-line.js';

/** Milliseconds after which a command has hung. */
const PATIENCE_MS = 60_000;
const HEARD = [process, process.stdout, process.stderr];

const [questions = '', answers = ''] = process.argv.slice(2);
const asked = openSync(questions, 'r');
const answered = openSync(answers, 'a');
const buffer = Buffer.alloc(64 * 1024);

/** Gives back what a command has set and listens to, as its process would have ended with it. */
let forget = () => {};
let running = false;

function answer(code, ended) {
  running = false;
  writeSync(answered, `${JSON.stringify({ code, ended })}\n`);
}

/** The next question; none when nobody is there any more who asks. */
function question() {
  let text = '';
  while (!text.endsWith('\n')) {
    const bytes = readSync(asked, buffer);
    if (bytes === 0) return undefined;
    text += buffer.toString('utf8', 0, bytes);
  }
  return JSON.parse(text);
}

function start({ args, cwd, env }) {
  running = true;
  const heard = HEARD.map((emitter) =>
    emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]),
  );
  const impatient = setTimeout(() => {
    process.stderr.write(`no end of ${JSON.stringify(args)}\n`);
    process.exit(70);
  }, PATIENCE_MS).unref();
  forget = () => {
    clearTimeout(impatient);
    for (const [i, emitter] of HEARD.entries()) {
      emitter.removeAllListeners();
      for (const [name, listeners] of heard[i]) for (const listener of listeners) emitter.on(name, listener);
    }
    process.exitCode = undefined;
  };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  void commandLine(args);
}

process.on('exit', (code) => {
  if (running) answer(code, true);
});
process.on('beforeExit', () => {
  if (running) {
    const code = process.exitCode ?? 0;
    forget();
    answer(code, false);
  }
  const next = question();
  if (next === undefined) closeSync(asked);
  else start(next);
});
