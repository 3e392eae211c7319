// How a person sees a file that no host has a page for.

/** The command that prints a file of a local repository, ready to be pasted; null for uncommitted work. */
export function localCommand(commit: string, path: string): string | null {
  return /^[0-9a-f]{40}$/.test(commit) ? `git show ${quoted(`${commit}:${path}`)}` : null;
}

function quoted(word: string): string {
  return /^[\w:@%+=,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
