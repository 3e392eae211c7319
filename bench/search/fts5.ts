// The rival: SQLite FTS5 through libsql, with the same fields, weights and "any word may match".

import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CorpusDocument } from './corpus.ts';

interface Statement {
  run(...values: readonly (string | number)[]): unknown;
  all(...values: readonly (string | number)[]): readonly { readonly rowid: number }[];
}

interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export class FullTextTable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'skillquay-bench-'));
  readonly #database: Database;
  readonly #insert: Statement;
  #search: Statement | undefined;

  constructor() {
    const Libsql: new (path: string) => Database = createRequire(import.meta.url)('libsql');
    this.#database = new Libsql(join(this.#folder, 'fts5.db'));
    this.#database.exec(`
      pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -200000;
      create virtual table documents using
        fts5(name, description, details, body, content = '', tokenize = 'porter unicode61');
      begin`);
    this.#insert = this.#database.prepare(
      'insert into documents (rowid, name, description, details, body) values (?, ?, ?, ?, ?)',
    );
  }

  add(id: number, { name, description, details, body }: CorpusDocument): void {
    this.#insert.run(id + 1, name, description, details, body.toString('utf8'));
  }

  finish(): void {
    this.#database.exec(`commit; insert into documents (documents) values ('optimize')`);
    this.#search = this.#database.prepare(
      'select rowid from documents where documents match ? order by bm25(documents, 8, 4, 2, 1), rowid limit ?',
    );
  }

  /** Document numbers, best first. */
  search(words: readonly string[], limit: number): number[] {
    const query = words.map((word) => `"${word}"`).join(' OR ');
    return (this.#search?.all(query, limit) ?? []).map(({ rowid }) => rowid - 1);
  }

  close(): void {
    this.#database.close();
    rmSync(this.#folder, { recursive: true });
  }
}
