// Every result, in both eras, stays within 24,576 bytes, whatever a repository holds and whatever is asked.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { nextOf, type Served, serve } from './support/served.ts';

const MAX_BODY_BYTES = 24_576;
/** Long, and each character takes six bytes of JSON, or four of UTF-8. */
const CONTROL = '\u0001\u0002"\\'.repeat(2_000);
const WIDE = '数据库迁移😀'.repeat(600);
const DEEP = Array.from({ length: 20 }, (_, i) => `folder-${i}-${'x'.repeat(30)}`).join('/');

const files: Record<string, string> = {
  'SKILLCDN.md': `---\nname: ${'N'.repeat(60)}\ndescription: ${JSON.stringify(WIDE.slice(0, 400))}\n---\n${WIDE}\n`,
  'wide/SKILL.md': `---\nname: wide\ndescription: ${JSON.stringify(WIDE.slice(0, 900))}\nlicense: ${WIDE.slice(0, 300)}\ncompatibility: ${WIDE.slice(0, 400)}\nmetadata:\n${Array.from({ length: 40 }, (_, i) => `  key${i}: ${JSON.stringify(WIDE.slice(0, 80))}`).join('\n')}\n---\n${WIDE.repeat(5)}\n`,
  'control/SKILL.md': `---\nname: control\ndescription: "Quotes \\\\ and more"\n---\n${CONTROL.repeat(3)}\n`,
  'control/data.txt': CONTROL.repeat(3),
  [`${DEEP}/SKILL.md`]: '---\nname: deep\ndescription: Deep\n---\nDeep.\n',
};
for (let i = 0; i < 300; i += 1) {
  files[`many/skill-${i}-${'y'.repeat(60)}/SKILL.md`] =
    `---\nname: skill-${i}\ndescription: ${JSON.stringify(`Number ${i}. ${WIDE.slice(0, 900)}`)}\n---\nBody ${i}.\n`;
  files[`wide/files/${'数'.repeat(60)}-${i}.txt`] = `File ${i}\n`;
}
const library = repository(files);
let served: Served;

beforeAll(async () => {
  served = await serve({ 'gh/acme/library': library });
});
afterAll(() => served.stop());

const CALLS: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['browse_repo', {}],
  ['browse_repo', { path: 'many', limit: 200 }],
  ['browse_repo', { path: 'wide/files', limit: 200 }],
  ['browse_repo', { path: DEEP }],
  ['search_repo', { query: 'number 数据库', limit: 25 }],
  ['search_repo', { query: '数'.repeat(500), limit: 25 }],
  ['load_skill', { path: 'wide/SKILL.md' }],
  ['load_skill', { path: 'control/SKILL.md' }],
  ['load_skill', { path: `${DEEP}/SKILL.md` }],
  ['read_repo_file', { path: 'control/data.txt', limit: 100_000 }],
  ['read_repo_file', { path: 'SKILLCDN.md', limit: 100_000 }],
  ['read_repo_file', { path: `${DEEP}/nothing.txt` }],
  ['load_skill', { path: 'x'.repeat(2_000) }],
  ['search_repo', { query: '\u0001'.repeat(500) }],
];

it.each(['/gh/acme/library', '/gh/acme/library/wide', `/gh/acme/library/${DEEP}`])(
  'on %s',
  async (address) => {
    let largest = 0;
    for (const [tool, first] of CALLS) {
      let args = first;
      for (let page = 0; page < 40; page += 1) {
        const modern = await served.call(address, tool, args);
        const legacy = await served.callLegacy(address, tool, args);
        largest = Math.max(largest, modern.bodyBytes);
        expect([tool, args, modern.bodyBytes <= MAX_BODY_BYTES, legacy.bodyBytes <= MAX_BODY_BYTES]).toEqual([
          tool,
          args,
          true,
          true,
        ]);
        expect(legacy.text).toBe(modern.text);
        const next = nextOf(modern.text);
        if (next === null || modern.isError) break;
        expect(next.tool).toBe(tool);
        args = next.args;
      }
    }
    // Where there is that much to show, the budget is used and not just kept.
    if (!address.endsWith(DEEP)) expect(largest).toBeGreaterThan(MAX_BODY_BYTES - 1_000);
  },
);
