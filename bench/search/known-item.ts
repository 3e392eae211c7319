// Known items: a skill is asked for by a few words of its own description, and should come back first.
//
//   the work: 300 queries of 3 or 4 words over every text of a repository, ours and FTS5 one after the other

import { SegmentBuilder } from '@skillquay/search/build';
import { mergeSegments } from '@skillquay/search/merge';
import { openSegment, type Segment } from '@skillquay/search/segment';
import { type CorpusDocument, type CorpusFile, listFiles, readFiles } from './corpus.ts';
import { FullTextTable } from './fts5.ts';

/** Documents read before their turn to be added, so that the two are timed apart. */
const BATCH = 1_000;
const QUERIES = 300;
const LIMIT = 10;
/** Each query counts with the best of so many times: what else the machine does is not measured. */
const ATTEMPTS = 3;
/** Rows asked of the rival, which cannot fold a skill's files: enough for ten skills. */
const RIVAL_LIMIT = 30;
const LONG_QUERY_CHARACTERS = 500;

interface KnownItem {
  readonly group: number;
  readonly words: readonly string[];
}

/** Prints the table for the repository in `args[0]`, a git directory. With `--alone`, leaves the rival out. */
export default async function run(args: readonly string[]): Promise<void> {
  const [gitDirectory, ...options] = args;
  if (gitDirectory === undefined) throw new Error('usage: search <git directory> [--alone]');
  const files = await listFiles(gitDirectory);
  const groupOf = Int32Array.from(files, ({ group }) => group);

  const descriptions = new Map<number, string>();
  const { bytes, seconds, cpuSeconds, textBytes } = await buildSegment(gitDirectory, files, descriptions);
  print('documents', `${files.length}, ${descriptions.size} skills, ${megabytes(textBytes)} of text`);
  print(
    'segment',
    `${megabytes(bytes.length)}, built in ${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of processor, ${(textBytes / 1e6 / cpuSeconds).toFixed(1)} MB/s of it)`,
  );
  print('memory', `${megabytes(process.resourceUsage().maxRSS * 1024)} at most while building`);
  printMerge(bytes, files.length);

  const opened = performance.now();
  const segment = openSegment(bytes);
  print('open', `${(performance.now() - opened).toFixed(2)} ms`);

  const random = generator(20_261_130);
  const items = knownItems(descriptions, random);
  const long = longQueries(descriptions, random);
  const ours = measure(items, ({ words }) => searchSegment(segment, words.join(' '), groupOf));
  printResult('segment', ours);
  const oursLong = measure(long, ({ words }) => searchSegment(segment, words.join(' '), groupOf));
  print(
    `${LONG_QUERY_CHARACTERS} characters`,
    `p50 ${oursLong.p50.toFixed(2)} ms, p99 ${oursLong.p99.toFixed(2)} ms`,
  );
  if (options.includes('--alone')) return;

  const table = new FullTextTable();
  const started = performance.now();
  let id = 0;
  for await (const document of readFiles(gitDirectory, files)) {
    if (document.group >= 0) table.add(id, document);
    id++;
  }
  table.finish();
  print('FTS5', `built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  const rival = measure(items, ({ words }) => folded(table.search(words, RIVAL_LIMIT), groupOf));
  printResult('FTS5', rival);
  print(
    'ratio',
    `p50 ${(rival.p50 / ours.p50).toFixed(1)} × faster, p99 ${(rival.p99 / ours.p99).toFixed(1)} ×, MRR ${signed(ours.reciprocalRank - rival.reciprocalRank)}`,
  );
  table.close();
}

async function buildSegment(
  gitDirectory: string,
  files: readonly CorpusFile[],
  descriptions: Map<number, string>,
) {
  const builder = new SegmentBuilder();
  let textBytes = 0;
  const time = stopwatch();
  let id = 0;
  let waiting: CorpusDocument[] = [];
  const addWaiting = () => {
    for (const document of waiting) builder.add(id++, document);
    waiting = [];
  };
  for await (const document of readFiles(gitDirectory, files)) {
    const { group, description } = document;
    if (group >= 0 && description !== '') descriptions.set(group, description);
    textBytes += document.body.length;
    waiting.push(document);
    if (waiting.length === BATCH) time.run(addWaiting);
  }
  time.run(addWaiting);
  const bytes = time.run(() => builder.finish(files.length));
  return { bytes, textBytes, ...time.read() };
}

/** Sums the time, by the clock and of the processor, that some work takes. */
function stopwatch() {
  let milliseconds = 0;
  let processorMicroseconds = 0;
  return {
    run<T>(work: () => T): T {
      const cpu = process.cpuUsage();
      const start = performance.now();
      const result = work();
      milliseconds += performance.now() - start;
      const { user, system } = process.cpuUsage(cpu);
      processorMicroseconds += user + system;
      return result;
    },
    read: () => ({ seconds: milliseconds / 1e3, cpuSeconds: processorMicroseconds / 1e6 }),
  };
}

/** The next commit: one document in the middle is replaced. */
function printMerge(bytes: Uint8Array, count: number): void {
  const changed = count >>> 1;
  const map = Int32Array.from({ length: count }, (_, id) => (id === changed ? -1 : id));
  const builder = new SegmentBuilder();
  builder.add(0, {
    name: 'changed',
    description: 'What has changed',
    details: 'changed/SKILL.md',
    body: 'All of it.',
  });
  const start = performance.now();
  mergeSegments(
    [
      { bytes, map },
      { bytes: builder.finish(1), map: Int32Array.of(changed) },
    ],
    count,
  );
  print('one change', `merged in ${((performance.now() - start) / 1000).toFixed(2)} s`);
}

function searchSegment(segment: Segment, query: string, groupOf: Int32Array): number[] {
  const scope = { from: 0, to: segment.docCount, groupOf, groupFrom: 0, groupTo: groupOf.length };
  return segment.search(query, scope, { after: null, limit: LIMIT }).hits.map(({ group }) => group);
}

function folded(documents: readonly number[], groupOf: Int32Array): number[] {
  return [...new Set(documents.map((id) => groupOf[id] ?? -1))].slice(0, LIMIT);
}

function measure(items: readonly KnownItem[], search: (item: KnownItem) => readonly number[]) {
  const times: number[] = [];
  let reciprocalRank = 0;
  let found = 0;
  for (const item of items) {
    let groups: readonly number[] = [];
    let best = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const start = performance.now();
      groups = search(item);
      best = Math.min(best, performance.now() - start);
    }
    times.push(best);
    const rank = groups.indexOf(item.group);
    if (rank < 0) continue;
    reciprocalRank += 1 / (rank + 1);
    found++;
  }
  times.sort((left, right) => left - right);
  const percentile = (part: number) =>
    times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    p50: percentile(0.5),
    p99: percentile(0.99),
    reciprocalRank: reciprocalRank / items.length,
    recall: found / items.length,
  };
}

function knownItems(descriptions: ReadonlyMap<number, string>, random: () => number): KnownItem[] {
  const candidates = [...descriptions].map(([group, text]) => ({ group, words: distinctWords(text) }));
  const eligible = candidates.filter(({ words }) => words.length >= 6);
  return Array.from({ length: Math.min(QUERIES, eligible.length) }, () => {
    const { group, words } = pick(eligible, random);
    const chosen = new Set<string>();
    const size = 3 + Math.floor(random() * 2);
    while (chosen.size < size) chosen.add(pick(words, random));
    return { group, words: [...chosen] };
  });
}

function longQueries(descriptions: ReadonlyMap<number, string>, random: () => number): KnownItem[] {
  const texts = [...descriptions.values()];
  return Array.from({ length: QUERIES }, () => {
    let text = '';
    while (text.length < LONG_QUERY_CHARACTERS) text += `${pick(texts, random)} `;
    return { group: -1, words: [text.slice(0, LONG_QUERY_CHARACTERS)] };
  });
}

function distinctWords(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu))];
}

function pick<T>(list: readonly T[], random: () => number): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new RangeError('Nothing to pick from.');
  return item;
}

/** Mulberry32: the same queries in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function printResult(name: string, result: ReturnType<typeof measure>): void {
  const { p50, p99, reciprocalRank, recall } = result;
  print(
    name,
    `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, MRR@${LIMIT} ${reciprocalRank.toFixed(3)}, recall@${LIMIT} ${recall.toFixed(3)}`,
  );
}

function print(what: string, figures: string): void {
  console.log(`${what.padEnd(16)}${figures}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function signed(difference: number): string {
  return `${difference < 0 ? '' : '+'}${difference.toFixed(3)}`;
}
