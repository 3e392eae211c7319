// What `serve` tells the person who started it: where, for which client, what is there, and what changed.
import { networkInterfaces } from 'node:os';
import type { Prepared } from '@skillquay/server/app';
import type { Config } from '@skillquay/server/config';
import { connectLines, serverNameFor } from '@skillquay/server/connect-lines';
import { counted, listed } from './count.ts';
import type { OpenedSource } from './open-app.ts';
import { printable } from './terminal.ts';

const SHORT_HASH_DIGITS = 12;

/** Where this machine reaches the process. */
export function originOf(config: Config, port: number): string {
  const { host, publicOrigin, allowedHosts } = config;
  if (publicOrigin !== null) return publicOrigin;
  const name = isEveryInterface(host) ? (allowedHosts[0] ?? 'localhost') : host;
  return `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port}`;
}

function isEveryInterface(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

export function greeting(
  origin: string,
  sources: readonly OpenedSource[],
  options: { readonly open: boolean; readonly config: Config; readonly port: number },
): string {
  const lines = sources.flatMap(({ source, address, parsed }) => [
    '',
    `${printable(source)} is served at`,
    `  ${origin}${address}`,
    ...connectLines(serverNameFor(parsed), origin + address).flatMap(({ client, where, lines }) => [
      '',
      `  ${client} (${where.charAt(0).toLowerCase()}${where.slice(1)}):`,
      ...lines.split('\n').map((line) => `    ${line}`),
    ]),
  ]);
  if (options.open) lines.push('', `Every address is served, for example ${origin}/gh/anthropics/skills`);
  lines.push(...fromElsewhere(options.config, options.port));
  return `${lines.slice(1).join('\n')}\n\nCtrl-C stops it.\n\n`;
}

/** How other machines, or a proxy, reach the process. */
function fromElsewhere({ host, publicOrigin, allowedHosts }: Config, port: number): string[] {
  if (publicOrigin !== null) return ['', `Listening on ${host}:${port}.`];
  if (!isEveryInterface(host)) return [];
  if (allowedHosts.length > 0) return ['', `It answers to ${allowedHosts.join(', ')} (ALLOWED_HOSTS).`];
  const address = lanAddress(networkInterfaces());
  const names = 'to answer to a host name, set ALLOWED_HOSTS or PUBLIC_ORIGIN.';
  return address === null
    ? ['', `It answers to IP addresses; ${names}`]
    : ['', `From other machines: http://${address}:${port} and the same path; ${names}`];
}

/** The first address of this machine that others may know. */
export function lanAddress(interfaces: ReturnType<typeof networkInterfaces>): string | null {
  const all = Object.values(interfaces).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}

/** What an index holds, so that an empty result is no riddle. */
export function outcome(prepared: Prepared, watched: boolean): string {
  if (!prepared.ok) return prepared.failure.message;
  const { state, mount } = prepared;
  if (state.status === 'failed') return `could not be indexed: ${state.reason}`;
  if (state.status !== 'ready') return 'nothing to serve lies at this path';
  const { counts } = state.mount.overview(0);
  const { errors, warnings, worst } = state.mount.problems(1);
  const found = listed([
    [counts.skills, 'skill'],
    [counts.documents, 'document'],
  ]);
  const faults = listed([
    [errors, 'error'],
    [warnings, 'warning'],
  ]);
  return [
    `${found === '' ? 'no skills: no folder here has a SKILL.md that can be used' : found} at ${shortCommit(mount.identity.commit)}`,
    mount.resolution.worktree ? ', uncommitted work included' : '',
    watched ? '; saved changes are picked up' : '',
    faults === '' ? '' : `; ${faults}, see \`skillquay check\``,
    ...(errors === 0 ? [] : worst.map(problemLine)),
  ].join('');
}

/** One line for a folder that was read again. */
export function reread(prepared: Prepared): string {
  if (!prepared.ok || prepared.state.status !== 'ready') return outcome(prepared, false);
  const { mount } = prepared.state;
  const { errors, worst } = mount.problems(1);
  const { skills, documents } = mount.overview(0).counts;
  const found = listed([
    [skills, 'skill'],
    [documents, 'document'],
  ]);
  return [
    `read again: ${found === '' ? 'no skills' : found}`,
    errors === 0 ? '' : `, ${counted(errors, 'error')}`,
    ...(errors === 0 ? [] : worst.map(problemLine)),
  ].join('');
}

function problemLine({ path, line, message }: { path: string; line?: number; message: string }): string {
  return `: ${printable(`${path}${line === undefined ? '' : `:${line}`} ${message}`)}`;
}

/** `worktree:` and 12 digits of the hash, or 12 of a commit. */
export function shortCommit(commit: string): string {
  const [hash = '', kind] = commit.split(':').reverse();
  return `${kind === undefined ? '' : `${kind}:`}${hash.slice(0, SHORT_HASH_DIGITS)}`;
}
