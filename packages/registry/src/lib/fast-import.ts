// Writes a commit as the stream that `git fast-import` reads: bytes go in as they are, whatever the user's git is set to.
import type { SkillFile } from '../skill-files.ts';

export interface NewCommit {
  readonly ref: string;
  /** The commit before it; null for the first one. */
  readonly from: string | null;
  /** `Name <email> <seconds> <zone>`, as `git var` gives them. */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
  /** Relative to the root of the repository. Replaced whole. */
  readonly folder: string;
  /** null takes the folder away. */
  readonly files: readonly SkillFile[] | null;
}

export function fastImport(commit: NewCommit): Uint8Array {
  const message = Buffer.from(commit.message);
  const pieces: Uint8Array[] = [
    text(`commit ${commit.ref}\nauthor ${commit.author}\ncommitter ${commit.committer}\n`),
    text(`data ${message.length}\n`),
    message,
    text(commit.from === null ? '\n' : `\nfrom ${commit.from}\n`),
    text(`D ${quoted(commit.folder)}\n`),
  ];
  for (const { path, mode, bytes } of commit.files ?? []) {
    pieces.push(text(`M ${mode} inline ${quoted(`${commit.folder}/${path}`)}\ndata ${bytes.length}\n`));
    pieces.push(bytes, text('\n'));
  }
  pieces.push(text('done\n'));
  return Buffer.concat(pieces);
}

/** In the quotes of C: every byte that is not plain as an octal number. */
function quoted(path: string): string {
  const bytes = [...Buffer.from(path)].map((byte) => {
    const isPlain = byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x5c;
    return isPlain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}

function text(line: string): Uint8Array {
  return Buffer.from(line);
}
