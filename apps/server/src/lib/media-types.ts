// The media type of a file by its name, and whether its bytes travel as text: what `resources/read` says of contents.
import { decodeUtf8 } from '@skillquay/core/decode';

/** By extension. `text/…` and those marked below are text where their bytes are. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdx: 'text/markdown',
  txt: 'text/plain',
  rst: 'text/plain',
  log: 'text/plain',
  ini: 'text/plain',
  cfg: 'text/plain',
  conf: 'text/plain',
  env: 'text/plain',
  sh: 'text/x-shellscript',
  bash: 'text/x-shellscript',
  zsh: 'text/x-shellscript',
  py: 'text/x-python',
  rb: 'text/x-ruby',
  go: 'text/x-go',
  rs: 'text/x-rust',
  java: 'text/x-java',
  c: 'text/x-c',
  h: 'text/x-c',
  cpp: 'text/x-c++',
  ts: 'text/x-typescript',
  tsx: 'text/x-typescript',
  js: 'text/javascript',
  mjs: 'text/javascript',
  cjs: 'text/javascript',
  jsx: 'text/javascript',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/jsonl',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  toml: 'application/toml',
  xml: 'application/xml',
  sql: 'application/sql',
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  ico: 'image/vnd.microsoft.icon',
  pdf: 'application/pdf',
  zip: 'application/zip',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  wasm: 'application/wasm',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const TEXTUAL = new Set([
  'application/json',
  'application/jsonl',
  'application/yaml',
  'application/toml',
  'application/xml',
  'application/sql',
  'image/svg+xml',
]);

export const FOLDER_TYPE = 'inode/directory';
const UNKNOWN_TYPE = 'application/octet-stream';
const PLAIN_TEXT = 'text/plain';
const NUL = 0;

/** Contents of a resource as the protocol carries them. */
export type Contents =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly blob: string };

/** By the name alone; `application/octet-stream` for a name that says nothing. */
export function mediaType(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  const extension = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(BY_EXTENSION, extension) ? (BY_EXTENSION[extension] ?? UNKNOWN_TYPE) : UNKNOWN_TYPE;
}

/**
 * Text where the type is one of text and encoding it again gives these bytes, byte order mark included; else base64.
 * A file whose name says nothing is plain text where its bytes are text.
 */
export function contentsOf(path: string, bytes: Uint8Array): Contents {
  const named = mediaType(path);
  const isUnknown = named === UNKNOWN_TYPE;
  const mayBeText = isUnknown ? !bytes.includes(NUL) : named.startsWith('text/') || TEXTUAL.has(named);
  const decoded = mayBeText ? decodeUtf8(bytes) : null;
  if (decoded?.ok) return { mimeType: isUnknown ? PLAIN_TEXT : named, text: decoded.text };
  const { buffer, byteOffset, byteLength } = bytes;
  return { mimeType: named, blob: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}
