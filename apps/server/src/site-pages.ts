// The pages of a whole process: what it serves, an account, and what a person sees when an address does not work.
import type { Reply } from './http.ts';
import { type Html, html } from './lib/html.ts';
import { page, prose } from './lib/page-frame.ts';

/** What the process was started with; `open` when every address of its hosts is served besides. */
export interface Site {
  readonly addresses: readonly string[];
  readonly open: boolean;
}

export function homePage({ addresses, open }: Site): Reply {
  return page(
    200,
    {
      title: 'Skills for agents',
      description: 'Any git repository of agent skills, usable through one address.',
    },
    html`<h1>Skillquay</h1>
<p>Git repositories of agent skills, each usable by an agent through one address.</p>
${
  addresses.length === 0
    ? null
    : html`<h2>Served here</h2>
${addressList(addresses)}
<p class="soft">Each page lists the skills and says how to connect a client.</p>`
}
${
  open
    ? html`<h2>Any repository</h2>
<pre>/gh/&lt;owner&gt;/&lt;repo&gt;</pre>
<p class="soft">Also <code>/gl</code> for GitLab and <code>/cb</code> for Codeberg. Add <code>@&lt;ref&gt;</code> for a branch, a tag or a commit, and <code>/&lt;path&gt;</code> for one folder.</p>`
    : null
}`,
  );
}

/** `served` are the addresses of this account that the process was started with. */
export function accountPage(account: string, served: readonly string[]): Reply {
  return page(
    200,
    { title: account.slice(1) },
    html`<h1>${account.slice(1)}</h1>
${
  served.length === 0
    ? html`<p>An address names a repository as well:</p>
<pre>${account}/&lt;repo&gt;</pre>`
    : html`<p>Served here:</p>
${addressList(served)}`
}`,
  );
}

/** `served` are addresses that work where this one does not. */
export function errorPage(
  status: number,
  message: string,
  served: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const title = status === 404 ? 'Not found' : status < 500 ? 'This does not work' : 'Not available now';
  return page(
    status,
    { title },
    html`<h1>${title}</h1>
<p>${prose(message)}</p>
${
  served.length === 0
    ? html`<p><a href="/">What is served here</a></p>`
    : html`<p>Served here:</p>
${addressList(served)}`
}`,
    headers,
  );
}

function addressList(addresses: readonly string[]): Html {
  return html`<ul>
${addresses.map(
  (address) => html`<li><a href="${address}">${address}</a></li>
`,
)}</ul>`;
}
