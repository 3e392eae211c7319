// Which licences of the SPDX list let anyone redistribute: those the Open Source Initiative approved, the GNU
// family, Creative Commons without NC or ND, and the public domain.
import { createRequire } from 'node:module';

const spdx = createRequire(import.meta.url)('spdx-license-list');

const FAMILIES = /^(?:[AL]?GPL-\d|CC-BY-\d|CC-BY-SA-\d)/;
// Dedications to the public domain that the initiative never judged.
const PUBLIC_DOMAIN = [
  'CC-PDDC',
  'CC-PDM-1.0',
  'CC0-1.0',
  'NIST-PD',
  'NIST-PD-fallback',
  'NTIA-PD',
  'PDDL-1.0',
  'SAX-PD',
  'SAX-PD-2.0',
  'blessing',
];

export function permissiveIds() {
  return Object.keys(spdx)
    .filter((id) => spdx[id].osiApproved || FAMILIES.test(id) || PUBLIC_DOMAIN.includes(id))
    .sort();
}

export function permissiveIdsModule() {
  const words = permissiveIds();
  const lines = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length > 96) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return `// SPDX identifiers of the licences that let anyone redistribute. Made by scripts/make-licence-data.mjs.
export const PERMISSIVE_IDS: readonly string[] = \`
${lines.map((line) => `  ${line}`).join('\n')}
\`
  .trim()
  .split(/\\s+/);
`;
}
