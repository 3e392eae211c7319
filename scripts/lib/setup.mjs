// What both set-up commands do first: packages installed as the lockfile says, bundles newer than the source.
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Newest change below a source folder; folders that are made, not written, do not count. */
function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    latest = Math.max(latest, entry.isDirectory() ? newest(path) : modified(path));
  }
  return latest;
}

/** Runs a command in `folder`; on failure the whole process ends with its exit code. */
export function run(command, args, folder = ROOT, env = process.env, stdio = 'inherit') {
  const done = spawnSync(command, args, { cwd: folder, stdio, env, shell: process.platform === 'win32' });
  if (done.error) {
    console.error(`${command} could not be started: ${done.error.message}`);
    process.exit(70);
  }
  if (done.status === 0) return;
  if (done.stdout) process.stderr.write(done.stdout);
  if (done.stderr) process.stderr.write(done.stderr);
  process.exit(done.status ?? 70);
}

export function checkMachine() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `Skillquay needs Node.js 20.19 or newer; this is ${process.versions.node}. See https://nodejs.org`,
    );
    process.exit(78);
  }
  if (spawnSync('git', ['--version'], { stdio: 'ignore' }).error) {
    console.error(
      'Skillquay reads repositories with git, and no git is on the PATH. See https://git-scm.com',
    );
    process.exit(78);
  }
}

/** Installs `folder`'s packages unless they are there and not older than its lockfile. */
export function install(folder = ROOT) {
  if (
    modified(join(folder, 'node_modules', '.package-lock.json')) >=
    modified(join(folder, 'package-lock.json'))
  )
    return;
  run('npm', ['ci', '--ignore-scripts', '--no-fund', '--no-audit', '--loglevel=error'], folder);
}

/** Bundles the command unless the bundle is newer than every source it is made of. What the bundler says is shown if it fails. */
export function build() {
  const source = Math.max(
    newest(join(ROOT, 'packages')),
    newest(join(ROOT, 'apps')),
    modified(join(ROOT, 'tsdown.config.ts')),
  );
  if (modified(join(ROOT, 'apps/cli/dist/skillquay.js')) > source) return;
  run('npx', ['tsdown'], ROOT, process.env, 'pipe');
}
