// `skillquay check`: reads a folder, mends what is mechanical when asked, prints what was found.
import packageJson from '../package.json' with { type: 'json' };
import { checkFolder } from './check-folder.ts';
import { checkText } from './check-text.ts';
import { ExitCode } from './exit-codes.ts';
import { fixFolder } from './fix.ts';
import { githubAnnotations, sarif } from './report-formats.ts';
import { printable, printableJson, progressOn } from './terminal.ts';

export interface CheckOptions {
  readonly strict: boolean;
  readonly format: string;
  readonly fix: boolean;
  readonly verbose: boolean;
}

/** The code to exit with: 1 on errors, and with `strict` on warnings. Throws CommandError. */
export async function check(dir: string, options: CheckOptions): Promise<ExitCode> {
  const progress = progressOn(process.stderr);
  let report = await checkFolder(dir, progress);
  let fixed: readonly string[] = [];
  if (options.fix) {
    fixed = await fixFolder(report.folder, report.diagnostics);
    if (fixed.length > 0) report = await checkFolder(dir, progress);
  }
  process.stdout.write(render());
  // Behind the report, where they are not scrolled away.
  for (const line of fixed) process.stderr.write(`${printable(line)}\n`);
  const fails = (severity: string) => severity === 'error' || (options.strict && severity === 'warning');
  return report.diagnostics.some(({ severity }) => fails(severity)) ? ExitCode.findings : ExitCode.ok;

  function render(): string {
    switch (options.format) {
      case 'json':
        return `${printableJson(report)}\n`;
      case 'sarif':
        return `${sarif(report.diagnostics, packageJson.version)}\n`;
      case 'github': {
        const lines = githubAnnotations(report.diagnostics);
        return lines === '' ? '' : `${lines}\n`;
      }
      default:
        return checkText(report, options.verbose);
    }
  }
}
