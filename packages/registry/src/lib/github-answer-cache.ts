// Keeps answers of a host on disk, each by its URL and the token that it was given to: what has not changed is not sent
// again.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '@skillquay/git/private-folder';

export interface KeptAnswer {
  /** null: it holds for ever, since its URL names content. */
  readonly etag: string | null;
  /** As JSON has it, to be checked before use. */
  readonly body: unknown;
}

export interface AnswerCache {
  /** Never throws: what cannot be read is not there. */
  read(url: string): Promise<KeptAnswer | null>;
  /** Never throws: what cannot be kept is asked for again. */
  write(url: string, answer: KeptAnswer): Promise<void>;
}

const MAX_ANSWER_BYTES = 16 * 1024 ** 2;
const MAX_CACHE_BYTES = 64 * 1024 ** 2;
/** What is left when the bound was passed. */
const KEPT = 0.75;
/** A part of the bound that may be written before it is looked at again. */
const SHARE = 8;

/** A cache in `folder`, which need not exist, of what the holder of `token` may read. */
export function openAnswerCache(folder: string, token: string, maxBytes = MAX_CACHE_BYTES): AnswerCache {
  return new DiskAnswers(folder, token, maxBytes);
}

class DiskAnswers implements AnswerCache {
  readonly #folder: string;
  readonly #token: string;
  readonly #maxBytes: number;
  /** Bytes written since the bound was looked at; what others have written before this process is not known. */
  #unchecked = Number.POSITIVE_INFINITY;

  constructor(folder: string, token: string, maxBytes: number) {
    this.#folder = folder;
    this.#token = token;
    this.#maxBytes = maxBytes;
  }

  async read(url: string): Promise<KeptAnswer | null> {
    try {
      const kept: unknown = JSON.parse(await readFile(this.#pathOf(url), 'utf8'));
      if (typeof kept !== 'object' || kept === null || !('url' in kept) || !('etag' in kept)) return null;
      // The name of the file says so already, unless somebody has moved it.
      if (kept.url !== url || !('body' in kept) || !('digest' in kept)) return null;
      if (typeof kept.etag !== 'string' && kept.etag !== null) return null;
      const answer = { etag: kept.etag, body: kept.body };
      return kept.digest === this.#digestOf(url, answer) ? answer : null;
    } catch {
      return null;
    }
  }

  async write(url: string, answer: KeptAnswer): Promise<void> {
    const { etag, body } = answer;
    const text = JSON.stringify({ url, etag, digest: this.#digestOf(url, answer), body });
    if (text.length > MAX_ANSWER_BYTES) return;
    const path = this.#pathOf(url);
    const draft = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;
    try {
      await makePrivateFolder(this.#folder);
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      await rename(draft, path);
      this.#unchecked += text.length;
      if (this.#unchecked > this.#maxBytes / SHARE) await this.#bound();
    } catch {
      await rm(draft, { force: true }).catch(() => {});
    }
  }

  /** The token goes into the digest and comes out of it never. */
  #pathOf(url: string): string {
    const name = createHash('sha256').update(`${this.#token}\0${url}`).digest('hex').slice(0, 40);
    return join(this.#folder, name);
  }

  /** Who cannot ask the host cannot say what it has said: a file that others have written or changed is none. */
  #digestOf(url: string, { etag, body }: KeptAnswer): string {
    return createHmac('sha256', this.#token)
      .update(JSON.stringify([url, etag, body]))
      .digest('hex');
  }

  /** Removes what was written longest ago, until there is room again. */
  async #bound(): Promise<void> {
    this.#unchecked = 0;
    const files: { readonly path: string; readonly size: number; readonly written: number }[] = [];
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => null);
      if (found !== null) files.push({ path, size: found.size, written: found.mtimeMs });
    }
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes <= this.#maxBytes) return;
    for (const { path, size } of files.sort((a, b) => a.written - b.written)) {
      if (bytes <= this.#maxBytes * KEPT) return;
      await rm(path, { force: true });
      bytes -= size;
    }
  }
}
