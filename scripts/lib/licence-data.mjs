// The licence texts that a reader recognises, as one small module: the numbers of their words, packed.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { runnerImport } from 'vite';
import { permissiveIds } from './permissive-ids.mjs';
import { ROOT } from './setup.mjs';

const texts = createRequire(import.meta.url)('spdx-license-list/full');

/** Translations and ports of Creative Commons; nobody puts one beside an agent skill. */
const PORTS = /^CC-BY.*-(?:AT|AU|DE|FR|IGO|JP|NL|UK|US)$/;
/** Not to be passed on, and met often enough to be called by name rather than unrecognised. */
const RESTRICTIVE = [
  /^CC-BY-(?:NC|ND|NC-SA|NC-ND)-[34]\.0$/,
  /^(?:BUSL-1\.1|SSPL-1\.0|Elastic-2\.0|JSON|WTFPL|X11|BSD-4-Clause|Pixar|Hippocratic-2\.1)$/,
  /^(?:PolyForm|FSL)-/,
];
/** Where the terms begin and end: what stands around them, a preamble or an appendix, may be missing. */
const TERMS_BEGIN = [
  /^\s*(?:GNU [A-Z ]+\n\s*)?TERMS AND CONDITIONS\b/m,
  /THE WORK \(AS DEFINED BELOW\)/,
  /By exercising the Licensed Rights/i,
  /^\s*Statement of Purpose/m,
];
const TERMS_END = [
  /END OF TERMS AND CONDITIONS/,
  /^\s*Creative Commons (?:is not a party to|Notice)/m,
  /^\s*exhibit a\b/im,
];
/** Parts of the texts above that stand alone in a file: the notice that its author says to use. */
const NOTICES = [
  [
    'Apache-2.0',
    'Apache-2.0',
    /Licensed under the Apache License, Version 2\.0[\s\S]*limitations under the License\./,
  ],
  ['MPL-2.0', 'MPL-2.0', /This Source Code Form is subject to[\s\S]*obtain one at \S+/],
  [
    'GPL-2.0',
    'GPL-2.0-or-later',
    /This program is free software[\s\S]*?GNU General Public License for more details\./,
  ],
  [
    'GPL-3.0',
    'GPL-3.0-or-later',
    /This program is free software[\s\S]*?GNU General Public License for more details\./,
  ],
  [
    'AGPL-3.0',
    'AGPL-3.0-or-later',
    /This program is free software[\s\S]*?Affero General Public License for more details\./,
  ],
];
/** The same terms in another wording that is as old and as common. */
const VARIANTS = [
  [
    'BSD-3-Clause',
    /Neither the name of the copyright holder nor the names of its contributors may/,
    'The name of the author may not',
  ],
];
const WILDCARD = 'wildcard0placeholder';

/** Without what every work fills in anew. */
function asTemplate(text) {
  return text
    .replace(/^\s*(?:copyright\s*(?:\(c\)|©|<|\[|\d|year|by\b)|©|\(c\) ?[<[\d]).*$/gim, '')
    .replace(/^\s*all rights reserved\.?\s*$/gim, '')
    .replace(/<[^<>@]{1,120}>|\[(?:yyyy|name of|year|full)[^\]]{0,80}\]/gi, ` ${WILDCARD} `);
}

function cutOut(id, text) {
  // The list prints the GPL below the LGPL 3.0, which only adds to it; published files often do not.
  if (!id.startsWith('LGPL-3.0')) return text;
  const at = text.search(/\n\s*GNU GENERAL PUBLIC LICENSE\s*\n/);
  return at < 0 ? text : text.slice(0, at);
}

export async function licenceDataModule() {
  const { module } = await runnerImport(join(ROOT, 'packages/core/src/lib/licence-words.ts'));
  const wordsOf = (text) => module.licenceWords(asTemplate(text)).words;
  const permissive = permissiveIds();
  const ids = Object.keys(texts).filter(
    (id) => !PORTS.test(id) && (permissive.includes(id) || RESTRICTIVE.some((some) => some.test(id))),
  );
  // Alike texts beside each other pack best.
  ids.sort();

  const numbers = new Map([[WILDCARD, 0]]);
  const heads = [];
  const stream = [];
  const seen = new Set();
  const add = (label, name, words, begin, end) => {
    const key = words.join(' ');
    if (seen.has(key)) return;
    seen.add(key);
    heads.push([label, name, words.length, begin, end]);
    for (const word of words) {
      if (!numbers.has(word)) numbers.set(word, numbers.size);
      stream.push(numbers.get(word));
    }
  };
  const entries = ids.map((id) => {
    const text = cutOut(id, texts[id].licenseText);
    const words = wordsOf(text);
    const first = TERMS_BEGIN.map((mark) => text.search(mark)).filter((at) => at >= 0);
    const begin = first.length === 0 ? 0 : wordsOf(text.slice(0, Math.min(...first))).length;
    const rest = text.slice(first.length === 0 ? 0 : Math.min(...first));
    const last = TERMS_END.map((mark) => rest.search(mark)).filter((at) => at > 0);
    const end = last.length === 0 ? words.length : begin + wordsOf(rest.slice(0, Math.min(...last))).length;
    return { id, words, begin, end };
  });
  // The shortest of several identifiers for one text says what the text alone can tell: "GPL-3.0", not "only" or
  // "or later".
  const shortest = new Map();
  for (const { id, words } of entries) {
    const key = words.join(' ');
    const known = shortest.get(key);
    if (known === undefined || id.length < known.length) shortest.set(key, id);
  }
  for (const { words, begin, end } of entries) {
    const id = shortest.get(words.join(' '));
    const base = id.replace(/(?:-only|-or-later|\+)$/, '');
    add(Object.hasOwn(texts, base) ? base : id, texts[id].name, words, begin, end);
  }
  for (const [id, label, part] of NOTICES) {
    const words = wordsOf(part.exec(texts[id].licenseText)?.[0] ?? '');
    add(label, texts[id].name, words, 0, words.length);
  }
  for (const [id, part, instead] of VARIANTS) {
    const words = wordsOf(texts[id].licenseText.replace(part, instead));
    add(id, texts[id].name, words, 0, words.length);
  }
  const head = Buffer.from(JSON.stringify({ vocabulary: [...numbers.keys()].join(' '), texts: heads }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  const packed = deflateRawSync(Buffer.concat([size, head, Buffer.from(Uint16Array.from(stream).buffer)]), {
    level: 9,
  });
  return `// Licence texts as numbers of words, packed; licence-templates.ts says how. Made by scripts/make-licence-data.mjs.
export const LICENCE_DATA =
  '${packed.toString('base64')}';
`;
}
