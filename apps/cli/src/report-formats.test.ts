import type { Diagnostic } from '@skillquay/core/facts';
import { describe, expect, it } from 'vitest';
import { githubAnnotations, sarif } from './report-formats.ts';

const broken: Diagnostic = {
  code: 'invalid_front_matter',
  severity: 'error',
  path: 'skills/a b/SKILL.md',
  line: 3,
  column: 14,
  message: 'The front matter is not YAML: 100%, really',
  hint: 'Quote it.\nAll of it.',
};
const general: Diagnostic = {
  code: 'tree',
  severity: 'info',
  path: '',
  message: 'All of it.',
  hint: 'Nothing.',
};

describe('sarif', () => {
  it('names rule, level, place and what to do', () => {
    const [run] = JSON.parse(sarif([broken, general], '1.2.3')).runs;
    expect(run.columnKind).toBe('utf16CodeUnits');
    expect(run.tool.driver.rules).toEqual([{ id: 'invalid_front_matter' }, { id: 'tree' }]);
    expect(run.results[0]).toMatchObject({ ruleId: 'invalid_front_matter', ruleIndex: 0, level: 'error' });
    expect(run.results[0].locations[0].physicalLocation).toEqual({
      artifactLocation: { uri: 'skills/a%20b/SKILL.md', uriBaseId: '%SRCROOT%' },
      region: { startLine: 3, startColumn: 14 },
    });
    expect(run.results[1].level).toBe('note');
    expect(run.results[1].locations[0].physicalLocation.artifactLocation.uri).toBe('.');
  });
});

describe('githubAnnotations', () => {
  it('escapes what would end a property or a line', () => {
    expect(githubAnnotations([broken])).toBe(
      '::error file=skills/a b/SKILL.md,line=3,col=14,title=invalid_front_matter::' +
        'The front matter is not YAML: 100%25, really Quote it.%0AAll of it.',
    );
  });

  it('leaves a place out when it is not known', () => {
    expect(githubAnnotations([general])).toBe('::notice title=tree::All of it. Nothing.');
  });
});
