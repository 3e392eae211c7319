// What a browser shows at an address: what is served there, and how to connect a client to it.
import { createHash } from 'node:crypto';
import type { MountIdentity, MountOverview } from '@skillquay/core/answers';
import type { ConnectLines } from './connect-lines.ts';
import type { Reply } from './http.ts';
import { Html, html } from './lib/html.ts';

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

function page(
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

/** How far the index of a mount is, as its page says it. */
export type PageState =
  | { readonly status: 'ready'; readonly overview: MountOverview }
  | { readonly status: 'indexing'; readonly sentence: string }
  | { readonly status: 'failed'; readonly sentence: string };

export interface MountPage {
  readonly identity: MountIdentity;
  /** Where a client connects: origin and canonical address. */
  readonly url: string;
  /** The same address without its ref. */
  readonly canonical: string;
  readonly state: PageState;
  readonly notice: string | null;
  readonly clients: readonly ConnectLines[];
}

export function mountPage({ identity, url, canonical, state, notice, clients }: MountPage): Reply {
  const overview = state.status === 'ready' ? state.overview : null;
  const title = overview?.name ?? identity.address.slice(1);
  const description = overview?.description;
  return page(
    200,
    {
      title,
      description,
      canonical,
      indexed: identity.ref === null && !identity.address.startsWith('/local/'),
      ...(state.status === 'indexing' ? { refresh: 5 } : undefined),
    },
    html`<h1>${title}</h1>
${description ? html`<p>${description}</p>` : null}
${notice ? html`<p class="note">${notice}</p>` : null}
<dl>
<dt>Address</dt><dd><code>${identity.address}</code></dd>
<dt>Commit</dt><dd><code>${identity.commit}</code> (${identity.ref ?? 'default branch'})</dd>
${overview ? countRows(overview) : html`<dt>Index</dt><dd>${state.status === 'ready' ? '' : state.sentence}</dd>`}
</dl>
<h2>Connect</h2>
<p>This address is an MCP endpoint. Give a client this URL:</p>
<pre>${url}</pre>
${clients.map(
  ({ client, where, lines }) => html`<h3>${client}</h3>
<p class="soft">${where}:</p>
<pre>${lines}</pre>
`,
)}
${overview ? folderList(overview) : null}
${overview ? diagnosticList(overview) : null}`,
  );
}

function countRows({ counts, partial }: MountOverview): Html {
  return html`<dt>Skills</dt><dd>${counts.skills}</dd>
<dt>Documents</dt><dd>${counts.documents}</dd>
${partial ? html`<dt>Partial</dt><dd>${partial.reasons.join(' ')}</dd>` : null}`;
}

function folderList({ folders }: MountOverview): Html | null {
  if (folders.length === 0) return null;
  return html`<h2>Folders</h2>
<ul>
${folders.map(
  (
    folder,
  ) => html`<li><code>${folder.path === '' ? '/' : folder.path}</code> – ${folder.skills} skills, ${folder.documents} documents${
    folder.description ? html`<br><span class="soft">${folder.description}</span>` : null
  }</li>
`,
)}</ul>`;
}

/** Diagnostics shown on the page; `skillquay check` shows all. */
const MAX_SHOWN_DIAGNOSTICS = 20;

function diagnosticList({ diagnostics }: MountOverview): Html | null {
  if (diagnostics.length === 0) return null;
  const more = diagnostics.length - MAX_SHOWN_DIAGNOSTICS;
  return html`<h2>For the author</h2>
<ul>
${diagnostics.slice(0, MAX_SHOWN_DIAGNOSTICS).map(
  (
    each,
  ) => html`<li><code>${each.path}${each.line ? `:${each.line}` : ''}</code> ${each.message} ${each.hint}</li>
`,
)}</ul>
${more > 0 ? html`<p class="soft">and ${more} more; <code>skillquay check</code> shows all.</p>` : null}`;
}

/** The page of a whole process: what it is, and the addresses it was started with. */
export function homePage(addresses: readonly string[]): Reply {
  return page(
    200,
    {
      title: 'Skills for agents',
      description: 'Any git repository of agent skills, usable through one address.',
    },
    html`<h1>Skillquay</h1>
<p>Any git repository of agent skills, usable by an agent through one address:</p>
<pre>/gh/&lt;owner&gt;/&lt;repo&gt;</pre>
<p class="soft">Add <code>@&lt;ref&gt;</code> for a branch, a tag or a commit, and <code>/&lt;path&gt;</code> for one folder.</p>
${
  addresses.length === 0
    ? null
    : html`<h2>Served here</h2>
<ul>
${addresses.map(
  (address) => html`<li><a href="${address}">${address}</a></li>
`,
)}</ul>`
}`,
  );
}

export function accountPage(account: string): Reply {
  return page(
    200,
    { title: account.slice(1) },
    html`<h1>${account.slice(1)}</h1>
<p>This is an account. An address names one of its repositories:</p>
<pre>${account}/&lt;repo&gt;</pre>`,
  );
}

export function errorPage(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const title = status === 404 ? 'Not found' : status < 500 ? 'This does not work' : 'Not available now';
  return page(
    status,
    { title },
    html`<h1>${title}</h1>
<p>${message}</p>
<p><a href="/">What an address looks like</a></p>`,
    headers,
  );
}
