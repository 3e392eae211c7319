// What a browser shows at an address: the skills that are served there, and how to connect a client to it.
import { type Address, formatAddress } from '@skillquay/core/address';
import type { MountIdentity, MountOverview, SkillEntry } from '@skillquay/core/answers';
import type { Diagnostic } from '@skillquay/core/facts';
import { cutAtWord } from '@skillquay/core/text';
import type { ConnectLines } from './connect-lines.ts';
import type { Reply } from './http.ts';
import { type Html, html } from './lib/html.ts';
import { page, prose } from './lib/page-frame.ts';

const MAX_DESCRIPTION_CHARACTERS = 300;

/** What an author should mend: how much there is, and the first of it, errors before warnings. */
export interface PageProblems {
  readonly errors: number;
  readonly warnings: number;
  readonly worst: readonly Diagnostic[];
}

/** How far the index of a mount is, as its page says it. */
export type PageState =
  | { readonly status: 'ready'; readonly overview: MountOverview; readonly problems: PageProblems }
  | { readonly status: 'indexing'; readonly sentence: string }
  | { readonly status: 'failed'; readonly sentence: string };

export interface MountPage {
  readonly address: Address;
  readonly identity: MountIdentity;
  /** Where a client connects: origin and canonical address. */
  readonly url: string;
  /** The same address without its ref. */
  readonly canonical: string;
  readonly state: PageState;
  readonly notice: string | null;
  readonly clients: readonly ConnectLines[];
}

export function mountPage({ address, identity, url, canonical, state, notice, clients }: MountPage): Reply {
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
<dt>Commit</dt><dd><code>${identity.commit}</code> (${stateName(identity)})</dd>
${state.status === 'ready' ? countRows(state.overview) : html`<dt>Index</dt><dd>${state.sentence}</dd>`}
</dl>
${overview ? skillList(overview, address) : null}
${overview ? folderList(overview, address) : null}
<h2>Connect</h2>
<p>This address is an MCP endpoint. Give a client this URL:</p>
<pre>${url}</pre>
${clients.map(
  ({ client, where, lines }) => html`<h3>${client}</h3>
<p class="soft">${where}:</p>
<pre>${lines}</pre>
`,
)}
${state.status === 'ready' ? problemList(state.problems) : null}`,
  );
}

function stateName({ commit, ref }: MountIdentity): string {
  return commit.startsWith('worktree:') ? 'the folder as it is now' : (ref ?? 'default branch');
}

function countRows({ counts, partial }: MountOverview): Html {
  return html`${counts.documents > 0 ? html`<dt>Documents</dt><dd>${counts.documents}</dd>` : null}
${partial ? html`<dt>Partial</dt><dd>${partial.reasons.join(' ')}</dd>` : null}`;
}

function skillList({ counts, skills = [] }: MountOverview, address: Address): Html {
  const more = counts.skills - skills.length;
  if (skills.length === 0) {
    return html`<h2>Skills</h2>
<p>There is no skill here. A skill is a folder with a <code>SKILL.md</code>.</p>`;
  }
  return html`<h2>Skills (${counts.skills})</h2>
<ul class="list">
${skills.map((skill) => skillItem(skill, address))}</ul>
${more > 0 ? html`<p class="soft">and ${more} more, in the folders below or by a search of a connected client.</p>` : null}`;
}

function skillItem(skill: SkillEntry, address: Address): Html {
  const { name, path, browsePath, description, describedOnly } = skill;
  const own = browsePath === address.path ? null : formatAddress({ ...address, path: browsePath });
  return html`<li><strong>${own === null ? name : html`<a href="${own}">${name}</a>`}</strong>
<code class="where">${path}</code>${cutAtWord(description, MAX_DESCRIPTION_CHARACTERS)}${
    describedOnly === undefined
      ? null
      : html` <span class="soft">Described only (license: ${describedOnly})</span>`
  }</li>
`;
}

function folderList({ folders }: MountOverview, address: Address): Html | null {
  // The folder of a skill and nothing else stands above, with the skill.
  const areas = folders.filter(({ skill, skills }) => skill === undefined || skills > 1);
  if (areas.length === 0) return null;
  return html`<h2>Folders</h2>
<ul>
${areas.map(
  ({ path, skills, documents, description }) =>
    html`<li><a href="${formatAddress({ ...address, path })}">${path}</a> <span class="soft">(${countsText(skills, documents)})</span>${
      description ? html`<br>${cutAtWord(description, MAX_DESCRIPTION_CHARACTERS)}` : null
    }</li>
`,
)}</ul>`;
}

function problemList({ errors, warnings, worst }: PageProblems): Html | null {
  const all = errors + warnings;
  if (all === 0) return null;
  const more = all - worst.length;
  return html`<h2>For the author</h2>
<p>${listed([counted(errors, 'error'), counted(warnings, 'warning')])}. In a copy of the repository, <code>skillquay check</code> lists them all and mends some.</p>
<ul class="list">
${worst.map(
  ({
    severity,
    path,
    line,
    message,
    hint,
  }) => html`<li><strong>${severity === 'error' ? 'Error' : 'Warning'}</strong>
<code class="where">${path === '' ? '/' : path}${line === undefined ? '' : `:${line}`}</code>${prose(message)} ${prose(hint)}</li>
`,
)}</ul>
${more > 0 ? html`<p class="soft">and ${more} more</p>` : null}`;
}

function countsText(skills: number, documents: number): string {
  return listed([counted(skills, 'skill'), counted(documents, 'document')]);
}

/** '' for none. */
function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function listed(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}
