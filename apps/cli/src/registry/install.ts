// Puts skills of the registry into folders where agents look for skills, and leaves alone what their user changed. All
// that is to be agreed to is agreed to before the first copy is touched; what goes wrong with one stops no other.
import { shownSlug } from '@skillquay/registry/text';
import { counted } from '../count.ts';
import { ExitCode } from '../exit-codes.ts';
import type { Copies } from './copies.ts';
import { type Failure, failureOf, together } from './failure.ts';
import { type Installed, type Kind, type State, Step, type Target } from './install-step.ts';
import { declined, type Io } from './io.ts';

export interface InstallOptions {
  readonly copies: Copies;
  /** Replace what its user changed, without asking. */
  readonly force: boolean;
  /** Show what changes, and ask, although their users changed nothing. */
  readonly showAll: boolean;
}

export interface InstallOutcome {
  readonly installed: readonly Installed[];
  readonly failure: Failure | undefined;
}

/**
 * Throws CommandError where somebody has to be asked and nobody can be, or where nothing can be remembered; nothing was
 * changed then.
 */
export async function installAll(
  targets: readonly Target[],
  options: InstallOptions,
  io: Io,
): Promise<InstallOutcome> {
  const { signal } = io.call;
  if (targets.length > 0) await options.copies.prepare();
  const steps = targets.map((target) => new Step(target, options.copies, signal));
  const taken = new Map<string, string>();
  for (const step of steps) {
    signal.throwIfAborted();
    await step.tried(() => step.look(taken, io));
  }
  await agree(steps, options, io);
  for (const step of steps) {
    if (signal.aborted) step.stop('not_tried');
    await step.tried(() => step.apply());
  }
  return { installed: steps.map((step) => step.result()), failure: failureFrom(steps, signal) };
}

/** Shows what is to be replaced and stops what nobody agrees to. */
async function agree(steps: readonly Step[], { force, showAll }: InstallOptions, io: Io): Promise<void> {
  const all = (wanted: Kind) => steps.filter(({ kind }) => kind === wanted);
  const shown = new Map<string, string>();
  for (const step of showAll ? all('untouched') : []) await step.tried(() => step.show(shown, io));
  const untouched = showAll ? all('untouched') : [];
  const question = `Update ${counted(untouched.length, 'copy')}?`;
  if (untouched.length > 0 && !force && !(await io.confirm(question)))
    for (const step of untouched) step.stop('declined');
  for (const step of all('changed')) {
    await step.tried(() => step.show(shown, io));
    const { path, skill } = step.target;
    if (force || step.kind === undefined) continue;
    // --yes does not answer this: what is replaced exists nowhere else.
    if (!io.canAsk) step.stop('kept');
    else if (
      !(await io.ask(
        `${path} was changed on this machine, or is another skill. Replace it by ${shownSlug(skill.slug)}?`,
      ))
    )
      step.stop('declined');
  }
}

/** All that was not done, in one sentence each; the exit code is that of the first. */
function failureFrom(steps: readonly Step[], signal: AbortSignal): Failure | undefined {
  const paths = (wanted: State) =>
    steps.filter(({ state }) => state === wanted).map(({ target }) => target.path);
  const [notTried, kept, refused] = [paths('not_tried'), paths('kept'), paths('declined')];
  const failures = steps.flatMap(({ failure }) => failure ?? []);
  if (notTried.length > 0) {
    const { code, exitCode } = failureOf(signal.reason, signal);
    failures.unshift({ code, message: `cancelled; not installed: ${notTried.join(', ')}.`, exitCode });
  }
  if (kept.length > 0)
    failures.push({
      code: 'changed_here',
      message: `changed on this machine, or another skill, and left as it is: ${kept.join(', ')}. Publish it, or replace it with --force.`,
      exitCode: ExitCode.badData,
    });
  if (refused.length > 0) failures.push(failureOf(declined(`left as it is: ${refused.join(', ')}.`), signal));
  return together(failures);
}
