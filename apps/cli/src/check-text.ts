// The report of `check` for a person: what is served, what is not and why, then what to mend.
import type { Diagnostic } from '@skillquay/core/facts';
import { showPath } from '@skillquay/core/show-path';
import type { CheckReport } from './check-folder.ts';
import { printable } from './terminal.ts';

/** Lines of one list before the rest is counted. */
const MAX_LISTED = 200;
const MAX_DESCRIPTION_CHARACTERS = 100;

export function checkText(report: CheckReport): string {
  const sections = [
    [`${printable(report.folder)}: ${summary(report)}`],
    list(
      'Manifests',
      report.manifests,
      ({ path, facts }) => `${showPath(path)}  ${facts.name ?? ''}  ${short(facts.description)}`,
    ),
    list('Skills', report.skills, ({ path, facts, files, undiscoverable }) =>
      [
        `${showPath(path)}  ${facts.name}  ${short(facts.description)}`,
        files.length > 0 ? `[${counted(files.length, 'file')}]` : '',
        facts.license === undefined ? '' : `[license: ${short(facts.license)}]`,
        undiscoverable === undefined ? '' : `(not searched: ${undiscoverable})`,
      ]
        .filter((part) => part !== '')
        .join('  '),
    ),
    list('Documents', report.documents, showPath),
    list('References', report.references, showPath),
    list('Withheld', report.withheld, ({ path, reason }) => `${showPath(path)}  ${reason}`),
    list('Excluded', report.excluded, showPath),
    list('No address can name', report.unaddressable, showPath),
    list('Left out by a limit', report.partial, (reason) => reason),
    list('To mend', report.diagnostics, diagnosticLine),
    ['What a client is told:', ...report.instructions.split('\n').map((line) => `  | ${printable(line)}`)],
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n\n${verdict(report.diagnostics)}\n`;
}

function list<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MAX_LISTED).map((item) => `  ${printable(line(item).trim())}`);
  if (items.length > MAX_LISTED)
    shown.push(`  and ${items.length - MAX_LISTED} more (--json lists them all)`);
  return [`${title} (${items.length}):`, ...shown];
}

function diagnosticLine({ code, severity, path, line, column, message, hint }: Diagnostic): string {
  const place = [path === '' ? '.' : showPath(path), line, column]
    .filter((part) => part !== undefined)
    .join(':');
  return `${severity}  ${place}  ${message} ${hint} [${code}]`;
}

function summary({ counts, documents }: CheckReport): string {
  return `${counted(counts.skill, 'skill')}, ${counted(counts.supporting, 'file')} of skills, ${counted(documents.length, 'document')}, ${counts.entries} entries in all`;
}

function verdict(diagnostics: readonly Diagnostic[]): string {
  const of = (severity: string) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  return `${counted(of('error'), 'error')}, ${counted(of('warning'), 'warning')}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= MAX_DESCRIPTION_CHARACTERS
    ? line
    : `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS).join('')}…`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
