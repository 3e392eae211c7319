// Manifests that cannot be trusted: each closes its own folder under `policy/` and nothing else.
import { MAX_EXCLUDES, MAX_MANIFEST_BYTES } from '@skillquay/core/limits';
import type { Entry } from '../repository.ts';
import { type Expectation, type Oddity, oddAmong, skillText } from './oddity.ts';
import { LFS_POINTER } from './places.ts';

const SERVED: Expectation = { class: 'skill' };
const CLOSED: Expectation = { class: 'withheld', withheld: 'closed_scope', code: 'closed_scope' };
const EXCLUDED: Expectation = { class: 'none' };

const manifest = (fields: string) => `---\ndescription: An area.\n${fields}---\nRules.\n`;

/** A folder with this manifest; what is judged is the skill below it. */
function area(
  slug: string,
  what: string,
  text: Entry,
  expect: Expectation,
  more: Record<string, Entry> = {},
): Oddity {
  const folder = `policy/${slug}`;
  const files: Record<string, Entry> = {
    [`${folder}/SKILLCDN.md`]: text,
    [`${folder}/s/SKILL.md`]: skillText('s'),
  };
  for (const [path, entry] of Object.entries(more)) files[`${folder}/${path}`] = entry;
  const at = expect === CLOSED ? { ...expect, codeAt: folder } : expect;
  return oddAmong(what, `${folder}/s/SKILL.md`, files, at);
}

export function policyOddities(): Oddity[] {
  const excludes = (count: number) =>
    manifest(`exclude:\n${Array.from({ length: count }, (_, i) => `  - x${i}\n`).join('')}`);
  return [
    area('plain', 'a skill under a plain manifest', manifest(''), SERVED),
    area(
      'bom',
      'a manifest with a byte order mark and CRLF',
      `\ufeff${manifest('')}`.replaceAll('\n', '\r\n'),
      SERVED,
    ),
    area('proto', 'a manifest whose keys name prototypes', manifest('__proto__: {exclude: [s]}\n'), SERVED),
    area(
      'image',
      'a manifest with a picture out of the repository',
      manifest('image: ../../../../etc/passwd\n'),
      SERVED,
    ),
    area(
      'script-image',
      'a manifest with a script for a picture',
      manifest('image: "javascript:alert(1)"\n'),
      SERVED,
    ),
    area(
      'bad-documents',
      'a manifest with a bad document directory',
      manifest('documents: [../up, /abs, ok]\n'),
      SERVED,
    ),
    area(
      'most-excludes',
      'a manifest with as many exclusions as are allowed',
      excludes(MAX_EXCLUDES),
      SERVED,
    ),
    area('excludes', 'a skill that is excluded', manifest('exclude: [s]\n'), EXCLUDED),
    area('excludes-file', 'a SKILL.md that is excluded', manifest('exclude: [s/SKILL.md]\n'), EXCLUDED),
    area('excludes-all', 'a folder that excludes itself', manifest('exclude: ["."]\n'), EXCLUDED),
    area('outer', 'a manifest that is excluded', manifest('exclude: [s/SKILLCDN.md]\n'), EXCLUDED, {
      's/SKILLCDN.md': manifest(''),
    }),

    area('no-fence', 'a manifest without front matter', '# Rules\n', CLOSED),
    area('empty', 'an empty manifest', '', CLOSED),
    area('colon', 'a manifest that would need recovery', '---\ndescription: Use when: asked\n---\n', CLOSED),
    area('no-description', 'a manifest without a description', '---\nname: Area\n---\n', CLOSED),
    area('tag', 'a manifest with a tag', manifest('x: !!js/function "x"\n'), CLOSED),
    area('alias', 'a manifest with an alias', manifest('x: &a s\nexclude: [*a]\n'), CLOSED),
    area('duplicate', 'a manifest with a duplicate key', manifest('exclude: [a]\nexclude: [b]\n'), CLOSED),
    area('utf16', 'a manifest in UTF-16', Buffer.from(`\ufeff${manifest('')}`, 'utf16le'), CLOSED),
    area('large', 'a manifest over the limit', manifest('') + 'x'.repeat(MAX_MANIFEST_BYTES), CLOSED),
    area('pointer', 'a manifest that is an LFS pointer', LFS_POINTER, CLOSED),
    area('link', 'a manifest that is a link', { symlink: '../plain/SKILLCDN.md' }, CLOSED),
    area('up', 'an exclusion that leaves its folder', manifest('exclude: [../plain]\n'), CLOSED),
    area('absolute', 'an exclusion that is absolute', manifest('exclude: [/policy]\n'), CLOSED),
    area('glob', 'an exclusion that is not text', manifest('exclude: [{a: b}]\n'), CLOSED),
    area('text-exclude', 'an exclusion that is no list', manifest('exclude: secret\n'), CLOSED),
    area('too-many', 'one exclusion too many', excludes(MAX_EXCLUDES + 1), CLOSED),
    area('broken-below', 'a broken manifest below a good one', manifest(''), CLOSED_BELOW, {
      's/SKILLCDN.md': 'broken',
    }),
  ];
}

const CLOSED_BELOW: Expectation = { ...CLOSED, codeAt: 'policy/broken-below/s' };
