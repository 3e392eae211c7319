// Where a git host has the bytes of a file, written from the template of the repository.

/** E.g. `https://github.com/acme/library/raw/{commit}/{path}`. */
export function fileUrl(template: string, commit: string, path: string): string {
  const escaped = path.split('/').map(encodeURIComponent).join('/');
  // As functions: a `$` in a path stands for itself.
  return template.replace('{commit}', () => commit).replace('{path}', () => escaped);
}
