// Small tables by hand, for tests of the index file and its reader: `tables({ 'a/SKILL.md': { class: 'skill' } })`.
import { createHash } from 'node:crypto';
import { type AnswerError, isAnswerError } from '@skillquay/core/answers';
import type { ManifestFacts, SkillFacts } from '@skillquay/core/facts';
import type { ResolvedLicence } from '@skillquay/core/licence';
import { compareUtf8, dirname, isBelow, isHidden } from '@skillquay/core/paths';
import type { SegmentDocument } from '@skillquay/search/api';
import { SegmentBuilder } from '@skillquay/search/build';
import { encodeIndex, openIndex } from '../src/index-file.ts';
import { type Links, openSnapshot, type Snapshot, type SnapshotOptions } from '../src/reader.ts';
import {
  type DiagnosticRecord,
  LISTING_REASONS,
  type ListingReason,
  RowClass,
  RowFlag,
  RowMode,
  SHA256_BYTES,
  SIZE_UNKNOWN,
  type SkillRecord,
  type SnapshotTables,
  WITHHELD_REASONS,
  type WithheldReason,
} from '../src/tables.ts';

export interface RowSpec {
  readonly class: keyof typeof RowClass;
  readonly withheld?: WithheldReason;
  readonly content?: string | Uint8Array;
  readonly size?: number;
  readonly facts?: Partial<SkillFacts>;
  readonly copyOf?: string;
  readonly discoverable?: boolean;
  readonly notListed?: ListingReason;
  readonly includes?: readonly string[];
  readonly missingIncludes?: readonly string[];
  readonly manifest?: Partial<ManifestFacts>;
  readonly title?: string;
  readonly summary?: string;
  readonly links?: readonly string[];
  /** Of a skill, or of what a manifest governs. */
  readonly licence?: ResolvedLicence;
  /** The object is not there. */
  readonly lost?: boolean;
}

export interface RestSpec {
  readonly closedFolders?: readonly string[];
  readonly diagnostics?: readonly Partial<DiagnosticRecord>[];
  readonly partial?: readonly string[];
}

export interface MadeTables {
  readonly tables: Omit<SnapshotTables, 'skills'> & { readonly skills: readonly SkillRecord[] };
  readonly documents: readonly SegmentDocument[];
  readonly objects: ReadonlyMap<string, Uint8Array>;
}

const SEARCHED: readonly string[] = ['skill', 'supporting', 'document'];

export function tables(files: Readonly<Record<string, RowSpec>>, rest: RestSpec = {}): MadeTables {
  const path = Object.keys(files).sort(compareUtf8);
  const specs = path.map((one): RowSpec => files[one] ?? { class: 'document' });
  const count = path.length;
  const objects = new Map<string, Uint8Array>();
  const oid = new Uint8Array(count * 20);
  const rowOf = (one: string) => path.indexOf(one);
  const skillPaths = path.filter((_, row) => specs[row]?.class === 'skill');
  const ownerOf = (one: string): number => {
    let best = -1;
    skillPaths.forEach((skillPath, number) => {
      const folder = dirname(skillPath);
      if (isBelow(one, folder) && folder.length >= dirname(skillPaths[best] ?? '').length) best = number;
    });
    return best;
  };
  const licences: ResolvedLicence[] = [];
  const licenceNumber = ({ licence }: RowSpec) => (licence === undefined ? -1 : licences.push(licence) - 1);
  const documents: SegmentDocument[] = [];
  const doc = new Int32Array(count).fill(-1);
  const size = new Uint32Array(count).fill(SIZE_UNKNOWN);
  specs.forEach((spec, row) => {
    const content = Buffer.from(spec.content ?? `content of ${path[row]}`);
    const hash = createHash('sha1').update(content).digest();
    oid.set(hash, row * 20);
    if (spec.lost !== true) objects.set(hash.toString('hex'), content);
    size[row] = spec.size ?? content.length;
    if (!SEARCHED.includes(spec.class)) return;
    doc[row] = documents.length;
    documents.push({
      name: spec.facts?.name ?? spec.title ?? '',
      description: spec.facts?.description ?? spec.summary ?? '',
      details: path[row] ?? '',
      body: content.toString(),
    });
  });
  const skills = skillPaths.map((skillPath): SkillRecord => {
    const spec = files[skillPath] ?? { class: 'skill' };
    return {
      row: rowOf(skillPath),
      facts: { name: dirname(skillPath) || 'root', description: `Does ${skillPath}.`, ...spec.facts },
      includes: (spec.includes ?? []).map(rowOf),
      missingIncludes: spec.missingIncludes ?? [],
      hidden: isHidden(skillPath),
      copyOf: spec.copyOf === undefined ? -1 : skillPaths.indexOf(spec.copyOf),
      discoverable: spec.discoverable ?? spec.copyOf === undefined,
      licence: licenceNumber(spec),
    };
  });
  const withheld = specs.map((spec) => WITHHELD_REASONS.indexOf(spec.withheld ?? ''));
  return {
    documents,
    objects,
    tables: {
      identity: { repository: 'gh/acme/library', commit: 'a'.repeat(40), rules: '1-test' },
      counts: {
        entries: count,
        skill: skills.length,
        supporting: 0,
        document: 0,
        manifest: 0,
        overview: 0,
        reference: 0,
        invalidSkill: 0,
        withheld: 0,
        excluded: 0,
        unaddressable: 0,
        other: 0,
      },
      partial: rest.partial ?? [],
      rows: {
        count,
        path,
        class: Uint8Array.from(specs, (spec) => RowClass[spec.class]),
        withheld: Uint8Array.from(withheld),
        mode: new Uint8Array(count).fill(RowMode.file),
        flags: Uint8Array.from(path, (one) => (isHidden(one) ? RowFlag.hidden : 0)),
        oid,
        size,
        skill: Int32Array.from(path, ownerOf),
        doc,
        sha256: new Uint8Array(count * SHA256_BYTES),
      },
      skills,
      listing: {
        reason: Uint8Array.from(skillPaths, (one) => LISTING_REASONS.indexOf(files[one]?.notListed ?? '')),
        sha256: new Uint8Array(skills.length * SHA256_BYTES),
        size: new Uint32Array(skills.length),
      },
      rawUrl: null,
      manifests: path.flatMap((one, row) => {
        const facts = specs[row]?.manifest;
        if (specs[row]?.class !== 'manifest') return [];
        const language = facts?.language;
        return [
          {
            row,
            folder: dirname(one),
            facts: { description: `About ${dirname(one)}.`, exclude: [], ...facts },
            ...(language === undefined ? {} : { language }),
            licence: licenceNumber(specs[row] ?? { class: 'manifest' }),
          },
        ];
      }),
      texts: specs.flatMap(({ title, summary }, row) =>
        title === undefined && summary === undefined
          ? []
          : [
              {
                row,
                ...(title === undefined ? {} : { title }),
                ...(summary === undefined ? {} : { summary }),
              },
            ],
      ),
      licences,
      looseLicence: -1,
      keptFolders: [],
      links: specs.flatMap((spec, row) => (spec.links === undefined ? [] : [{ row, targets: spec.links }])),
      overviews: path
        .flatMap((one, row) => (/(^|\/)README\.md$/.test(one) ? [{ folder: dirname(one), row }] : []))
        .sort((a, b) => compareUtf8(a.folder, b.folder)),
      closedFolders: rest.closedFolders ?? [],
      diagnostics: (rest.diagnostics ?? []).map((one) => ({
        code: 'no_front_matter',
        severity: 'error',
        path: '',
        message: 'Something is wrong.',
        hint: 'Correct it.',
        ofFile: false,
        ...one,
      })),
    },
  };
}

/** A snapshot of such tables, with a search segment and the contents as its objects. */
export function snapshotOf(
  files: Readonly<Record<string, RowSpec>>,
  rest: RestSpec = {},
  options: SnapshotOptions & { readonly links?: Links } = {},
): Snapshot {
  const made = tables(files, rest);
  const builder = new SegmentBuilder();
  made.documents.forEach((document, doc) => {
    builder.add(doc, document);
  });
  const segment = builder.finish(made.documents.length);
  const index = openIndex(Buffer.concat(encodeIndex(made.tables, segment)));
  const read = async (oid: string) => made.objects.get(oid) ?? null;
  return openSnapshot(index, { read }, options.links ?? HOST_LINKS, options);
}

const HOST_LINKS: Links = {
  raw: (commit, path) => `https://raw.example/${commit}/${path}`,
  page: (commit, path) => `https://page.example/${commit}/${path}`,
};

/** The answer, which must not be an error. */
export function answered<T extends object>(answer: T | AnswerError): T {
  if (isAnswerError(answer)) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer;
}

export function refused(answer: object): AnswerError['error'] {
  if (!isAnswerError(answer)) throw new Error(`Not an error: ${JSON.stringify(answer)}`);
  return answer.error;
}
