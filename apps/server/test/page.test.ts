// What a browser shows of a repository: its skills first, links that lead on, and what its author should mend.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { repository } from '../../../test-support/repository.ts';
import { type Served, serve } from './support/served.ts';

const skill = (name: string, description = `Does ${name}.`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\nDo it.\n`;

const many = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`many/s${i}/SKILL.md`, skill(`s${i}`, `Does ${i}.`)]),
);

let served: Served;
let base = '';
beforeAll(async () => {
  served = await serve({
    'gh/acme/library': repository({
      'README.md': '# Acme\n\nWhat we know.\n',
      'a b/one/SKILL.md': skill('one', '<b>Bold</b> & more'),
      'a b/two/SKILL.md': skill('two'),
      'broken/SKILL.md': '---\nname: broken\n---\n',
      'wrong/SKILL.md': skill('right'),
      'docs/x.md': '# X\n',
    }),
    'gh/acme/many': repository(many),
    'gh/acme/none': repository({ 'docs/x.md': '# X\n' }),
  });
  base = served.origin;
});
afterAll(() => served.stop());

async function pageOf(address: string): Promise<string> {
  await served.call(address, 'browse_repo');
  return (await fetch(base + address, { headers: { accept: 'text/html' } })).text();
}

it('begins with the skills, then folders, then clients, then what is wrong', async () => {
  const text = await pageOf('/gh/acme/library@main');
  const headings = [...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, heading]) => heading);
  expect(headings).toEqual(['Skills (3)', 'Folders', 'Connect', 'For the author']);
  expect(text).toContain('<a href="/gh/acme/library@main/a%20b/one">one</a>');
  expect(text).toContain('<code class="where">a b/one/SKILL.md</code>&lt;b&gt;Bold&lt;/b&gt; &amp; more');
  expect(text).toContain(
    '<a href="/gh/acme/library@main/a%20b">a b</a> <span class="soft">(2 skills)</span>',
  );
  expect(text).toContain(
    '<a href="/gh/acme/library@main/docs">docs</a> <span class="soft">(1 document)</span>',
  );
});

it('leads to pages that exist', async () => {
  const text = await pageOf('/gh/acme/library');
  const links = [...text.matchAll(/href="(\/gh\/[^"]+)"/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(4);
  for (const link of links) expect([link, (await fetch(base + link)).status]).toEqual([link, 200]);
});

it('names errors before warnings, each place on its own line and code as code', async () => {
  const text = await pageOf('/gh/acme/library');
  expect(text).toContain('1 error, 1 warning. In a copy of the repository, <code>skillquay check</code>');
  expect(text).toContain(
    '<strong>Error</strong>\n<code class="where">broken/SKILL.md</code>The file has no <code>description</code>.',
  );
  expect(text.indexOf('<strong>Error</strong>')).toBeLessThan(text.indexOf('<strong>Warning</strong>'));
});

it('is bounded and says how many there are', async () => {
  const text = await pageOf('/gh/acme/many');
  expect(text.match(/<li><strong>/g)).toHaveLength(50);
  expect(text).toContain('Skills (60)');
  expect(text).toContain('and 10 more');
});

it('says what a skill is where there is none', async () => {
  expect(await pageOf('/gh/acme/none')).toContain('A skill is a folder with a <code>SKILL.md</code>');
});

it('needs nothing that its policy does not name', async () => {
  const response = await fetch(`${base}/gh/acme/library`);
  const text = await response.text();
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(text).not.toMatch(/<script|style="|https?:\/\/(?!127\.0\.0\.1)/);
});
