// What kind of text a path names, by its extension, in any casing.

/** Markdown, as documents and includes may be. */
export function isMarkdownPath(path: string): boolean {
  return /\.(?:md|markdown|mdx)$/i.test(path);
}

export function isJsonPath(path: string): boolean {
  return /\.json$/i.test(path);
}
