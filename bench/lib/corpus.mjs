// A repository of made-up skills, for whoever has no large one at hand. Same number, same bytes.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const WORDS =
  'review deploy rollback invoice ledger forecast sketch render encode transcribe translate proofread outline summarise label triage escalate schedule remind archive restore migrate index query cluster shard replicate throttle retry trace profile lint format refactor mock stub fuzz bench compile bundle publish sign verify rotate revoke audit redact mask sample plot chart pivot join merge split crop resize caption tag crawl parse scrape dedupe enrich score rank recommend notify subscribe refund quote negotiate onboard'.split(
    ' ',
  );
const LINKING = ['and', 'with', 'for', 'the', 'before', 'after', 'of', 'to', 'when', 'a'];

/** Makes a bare repository with `skills` skills at `folder`/corpus.git and gives its path. */
export function makeCorpus(folder, skills) {
  const dir = join(folder, 'corpus.git');
  let state = 20_261_130;
  const random = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = (list) => list[random(list.length)];
  const sentence = (words) =>
    Array.from({ length: words }, (_, at) => (at % 3 === 2 ? pick(LINKING) : pick(WORDS))).join(' ');
  const parts = [
    'commit refs/heads/main\ncommitter Bench <bench@example.com> 1767225600 +0000\ndata 4\nbase\n',
  ];
  const file = (path, text) =>
    parts.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
  for (let number = 0; number < skills; number += 1) {
    const name = `${pick(WORDS)}-${pick(WORDS)}-${number}`;
    const at = `area-${number % 40}/${name}`;
    const paragraphs = Array.from({ length: 12 + random(40) }, () => `- ${sentence(14)}.`).join('\n');
    const front = `---\nname: ${name}\ndescription: ${sentence(12)}. Use when someone wants to ${sentence(8)}.\n---\n`;
    file(`${at}/SKILL.md`, `${front}\n# ${name}\n\n${paragraphs}\n\nSee [more](references/more.md).\n`);
    file(`${at}/references/more.md`, `# More\n\n${sentence(180)}.\n`);
    file(`${at}/scripts/run.sh`, `#!/bin/sh\necho ${name}\n`);
  }
  const git = (args, input) => {
    const done = spawnSync('git', args, { input: input ?? '', maxBuffer: 1024 ** 3 });
    if (done.status !== 0) throw new Error(done.stderr.toString());
  };
  git(['init', '--quiet', '--bare', '--initial-branch=main', dir]);
  git(['--git-dir', dir, 'fast-import', '--quiet'], parts.join(''));
  return dir;
}
