// The frame of every page: its head, its style, and headers under which nothing but that style can run.
import { createHash } from 'node:crypto';
import type { Reply } from '../http.ts';
import { Html, html } from './html.ts';

const STYLE = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--card:#f6f8fa;--paper:#fff;--link:#0550ae}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9ea7b3;--line:#3d444d;--card:#161b22;--paper:#0d1117;--link:#79c0ff}}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{max-width:46rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;line-height:1.2;margin:0 0 .5rem}h2{font-size:1.25rem;margin:2.2rem 0 .6rem}h3{font-size:1rem;margin:1.4rem 0 .3rem}
a{color:var(--link)}p{margin:.5rem 0}.soft{color:var(--soft)}
code,pre{font-family:ui-monospace,monospace;font-size:.9rem}
pre{background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.75rem;overflow-x:auto;margin:.3rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem;margin:1rem 0}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
ul{padding-left:1.2rem}li{margin:.55rem 0;overflow-wrap:anywhere}.list{list-style:none;padding:0}.list li{margin:.9rem 0}
.where{display:block;color:var(--soft)}strong{font-weight:600}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.note{border-left:4px solid var(--line);padding:.1rem .8rem;margin:1rem 0}
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export interface PageOptions {
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  /** Only the page without a ref is for search engines. */
  readonly indexed?: boolean;
  /** Ask again after so many seconds. */
  readonly refresh?: number;
}

export function page(
  status: number,
  options: PageOptions,
  main: Html,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const { title, description, canonical, indexed = false, refresh } = options;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Skillquay</title>
${description ? html`<meta name="description" content="${description}">` : null}
${canonical ? html`<link rel="canonical" href="${canonical}">` : null}
${indexed ? null : html`<meta name="robots" content="noindex">`}
${refresh ? html`<meta http-equiv="refresh" content="${refresh}">` : null}
<link rel="icon" href="/icon.png">
${STYLE_ELEMENT}
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  return { status, headers: { ...PAGE_HEADERS, ...headers }, body: document.text };
}

/** Its text has to be the very bytes that the policy names. */
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);

/** A sentence of ours in which backticks mark what is code. */
export function prose(text: string): Html {
  const parts = text.split('`');
  // An odd number of marks is text that holds one.
  if (parts.length % 2 === 0) return html`${text}`;
  return html`${parts.map((part, at) => (at % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))}`;
}
