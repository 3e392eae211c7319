// The report of `check` for a person: what is served, what is not and why, then what to mend and a verdict.
import type { Diagnostic, Severity } from '@skillquay/core/facts';
import { showPath } from '@skillquay/core/show-path';
import type { CheckReport } from './check-folder.ts';
import type { CheckedLicence } from './checked-skills.ts';
import { counted, listed } from './count.ts';
import { printable } from './terminal.ts';

/** Lines of one list before the rest is counted. */
const MAX_LISTED = 200;
const MAX_DESCRIPTION_CHARACTERS = 100;

/** With `verbose`, also what a client's model is told. */
export function checkText(report: CheckReport, verbose: boolean): string {
  const of = (wanted: Severity) => report.diagnostics.filter(({ severity }) => severity === wanted);
  const sections = [
    [`${printable(report.folder)}: ${summary(report)}`],
    list(
      'Manifests',
      report.manifests,
      ({ path, facts }) => `${showPath(path)}  ${facts.name ?? ''}  ${short(facts.description)}`,
    ),
    list(
      'Skills',
      report.skills,
      ({ path, facts, files, licence, describedOnly, undiscoverable, notListed }) =>
        [
          `${showPath(path)}  ${facts.name}  ${short(facts.description)}`,
          files.length > 0 ? `[${counted(files.length, 'file')}]` : '',
          licence === undefined ? '' : `[license: ${licence.label}]`,
          describedOnly ? '(described only)' : '',
          undiscoverable === undefined ? '' : `(not searched: ${undiscoverable})`,
          undiscoverable === undefined && !describedOnly && notListed !== undefined
            ? `(not listed: ${notListed})`
            : '',
        ]
          .filter((part) => part !== '')
          .join('  '),
    ),
    list('Licenses', report.licences, licenceLine),
    report.skills.length === 0 ? [] : [extensionLine(report.extension)],
    list('Documents', report.documents, showPath),
    list('References', report.references, showPath),
    list(
      'Withheld',
      report.withheld,
      ({ path, reason, licence }) =>
        `${showPath(path)}  ${reason}${licence === undefined ? '' : `: ${licence}`}`,
    ),
    list('Excluded', report.excluded, showPath),
    list('No address can name', report.unaddressable, showPath),
    list('Left out by a limit', report.partial, (reason) => reason),
    verbose
      ? ['What a client is told:', ...report.instructions.split('\n').map((line) => `  | ${printable(line)}`)]
      : [],
    list('Noted', of('info'), diagnosticLine),
    list('Not served', report.notServed, ({ path, code }) => `${path}  ${code}`),
    list('To mend', [...of('error'), ...of('warning')], diagnosticLine),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n\n${verdict(report)}\n`;
}

function list<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MAX_LISTED).map((item) => `  ${printable(line(item).trim())}`);
  if (items.length > MAX_LISTED)
    shown.push(`  and ${items.length - MAX_LISTED} more (--json lists them all)`);
  return [`${title} (${items.length}):`, ...shown];
}

/** What is served under which licence, and the place that says so. */
function licenceLine({ licence, skills, where }: CheckedLicence): string {
  const count = counted(skills, 'skill');
  if (licence === null) return `none said  ${count}, served with a notice`;
  const what = licence.kind === 'restrictive' ? 'described only' : 'served';
  const more = where.length > 1 ? ` and ${where.length - 1} more` : '';
  return `${licence.label}  ${count}, ${what}  said by ${where[0] ?? ''}${more}`;
}

function diagnosticLine({ code, severity, path, line, column, message, hint }: Diagnostic): string {
  const place = [path === '' ? '.' : showPath(path), line, column]
    .filter((part) => part !== undefined)
    .join(':');
  return `${severity}  ${place}  ${message} ${hint} [${code}]`;
}

function summary({ counts, skills, documents }: CheckReport): string {
  const parts = [
    skillCounts(skills),
    listed([
      [counts.supporting, 'supporting file'],
      [documents.length, 'document'],
    ]),
    `${counts.entries} entries in all`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `Skills extension: 7 listed, 2 not (1 duplicate, 1 too_large)`. */
function extensionLine({ listed: count, notListed }: CheckReport['extension']): string {
  const reasons = Object.entries(notListed);
  const others = reasons.reduce((sum, [, number]) => sum + number, 0);
  const why = reasons.map(([reason, number]) => `${number} ${reason}`).join(', ');
  return `Skills extension: ${count} listed${others === 0 ? '' : `, ${others} not (${why})`}`;
}

/** As search and pages count them: `7 skills and 1 copy`. */
function skillCounts(skills: CheckReport['skills']): string {
  const found = skills.filter(({ undiscoverable }) => undiscoverable === undefined).length;
  const copies = skills.filter(({ undiscoverable }) => undiscoverable?.startsWith('copy of ')).length;
  const hidden = skills.length - found - copies;
  return [
    counted(found, 'skill'),
    ...(copies === 0 ? [] : [counted(copies, 'copy')]),
    ...(hidden === 0 ? [] : [`${hidden} hidden`]),
  ].join(' and ');
}

/** Copies and hidden skills stand for others; they are neither served nor missing. */
function verdict({ skills, notServed, diagnostics }: CheckReport): string {
  const found = skills.filter(({ undiscoverable }) => undiscoverable === undefined);
  const served = found.filter(({ describedOnly }) => !describedOnly).length;
  const described = found.length - served;
  const of = (wanted: Severity) => diagnostics.filter(({ severity }) => severity === wanted).length;
  const all = found.length + notServed.length;
  const share =
    all === 0 ? 'No skill is' : `${served} of ${counted(all, 'skill')} ${all === 1 ? 'is' : 'are'}`;
  const rest = described === 0 ? '' : `, ${described} described only`;
  return `${share} served${rest}; ${counted(of('error'), 'error')}, ${counted(of('warning'), 'warning')}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_DESCRIPTION_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS).join('')}…`;
}
