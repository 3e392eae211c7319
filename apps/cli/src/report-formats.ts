// Diagnostics for machines: SARIF 2.1.0 for code-scanning tools, and workflow commands for GitHub Actions.
import type { Diagnostic, Severity } from '@skillquay/core/facts';
import { printable, printableJson } from './terminal.ts';

const SARIF_LEVEL: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };
const GITHUB_COMMAND: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' };

function sarifLocation({ path, line, column }: Diagnostic): object {
  const uri = path.split('/').map(encodeURIComponent).join('/');
  return {
    physicalLocation: {
      artifactLocation: { uri: uri === '' ? '.' : uri, uriBaseId: '%SRCROOT%' },
      ...(line === undefined
        ? {}
        : { region: { startLine: line, ...(column === undefined ? {} : { startColumn: column }) } }),
    },
  };
}

/** One SARIF log with one run; rules are the codes that occur, in order. */
export function sarif(diagnostics: readonly Diagnostic[], version: string): string {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  const ruleIndex = new Map(codes.map((code, index) => [code, index]));
  return printableJson({
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'skillquay check', version, rules: codes.map((id) => ({ id })) } },
        columnKind: 'utf16CodeUnits',
        results: diagnostics.map((diagnostic) => ({
          ruleId: diagnostic.code,
          ruleIndex: ruleIndex.get(diagnostic.code),
          level: SARIF_LEVEL[diagnostic.severity],
          message: { text: `${diagnostic.message} ${diagnostic.hint}` },
          locations: [sarifLocation(diagnostic)],
        })),
      },
    ],
  });
}

const escapeData = (text: string): string =>
  text
    .split('\n')
    .map((line) => printable(line).replaceAll('%', '%25'))
    .join('%0A');
const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** One workflow command a line; GitHub shows each beside the line it is about. */
export function githubAnnotations(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ code, severity, path, line, column, message, hint }) => {
      const properties = [
        ...(path === '' ? [] : [`file=${escapeProperty(path)}`]),
        ...(line === undefined ? [] : [`line=${line}`]),
        ...(column === undefined ? [] : [`col=${column}`]),
        `title=${escapeProperty(code)}`,
      ];
      return `::${GITHUB_COMMAND[severity]} ${properties.join(',')}::${escapeData(`${message} ${hint}`)}`;
    })
    .join('\n');
}
