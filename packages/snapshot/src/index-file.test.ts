import { compareUtf8, dirname } from '@skillquay/core/paths';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type RestSpec, type RowSpec, tables } from '../test/tables.ts';
import { encodeIndex, IndexFileError, openIndex } from './index-file.ts';
import type { SnapshotTables } from './tables.ts';

const FILES: Record<string, RowSpec> = {
  'README.md': {
    class: 'overview',
    title: 'Library',
    summary: 'All of it.',
    links: ['docs/b.md', 'gone.md'],
  },
  'SKILLCDN.md': { class: 'manifest', manifest: { name: 'Acme', language: 'de', exclude: ['x', 'y/z'] } },
  'docs/b.md': { class: 'document', title: 'B' },
  'skills/ä/SKILL.md': {
    class: 'skill',
    facts: {
      name: 'ä',
      description: 'Umlaut 😀.',
      metadata: { z: '1', a: '2', 'a b': '' },
      translations: { de: { title: 'Ä' } },
      include: ['docs/b.md'],
      incomplete: true,
    },
    includes: ['docs/b.md'],
    missingIncludes: ['gone.md'],
  },
  'skills/ä/big.bin': { class: 'withheld', withheld: 'too_large', size: 3_000_000 },
  'skills/copy/SKILL.md': { class: 'skill', copyOf: 'skills/ä/SKILL.md' },
  'skills/\u{fffd}/SKILL.md': { class: 'skill' },
  'skills/\u{1f600}/SKILL.md': { class: 'skill' },
};
const REST: RestSpec = {
  closedFolders: ['closed'],
  partial: ['12 files are left out.'],
  diagnostics: [
    { path: '', code: 'beyond_limit', severity: 'warning' },
    { path: 'closed', code: 'closed_scope' },
    {
      path: 'skills/ä/SKILL.md',
      code: 'commented_value',
      severity: 'info',
      line: 2,
      column: 3,
      ofFile: true,
    },
    { path: 'skills/ä/SKILL.md', code: 'dropped_field', severity: 'warning', line: 4 },
  ],
};
const SEGMENT = Uint8Array.from({ length: 101 }, (_, i) => i * 7);

function joined(made: SnapshotTables, segment = SEGMENT): Buffer {
  return Buffer.concat(encodeIndex(made, segment));
}

describe('an index file', () => {
  const made = tables(FILES, REST).tables;
  const index = openIndex(joined(made));

  it('gives back every column and record it was made of', () => {
    const { rows } = made;
    expect(index.rowCount).toBe(rows.count);
    expect(rows.path.map((_, row) => index.path(row))).toEqual(rows.path);
    expect(index.class).toEqual(rows.class);
    expect(index.withheld).toEqual(rows.withheld);
    expect(index.mode).toEqual(rows.mode);
    expect(index.flags).toEqual(rows.flags);
    expect(index.size).toEqual(rows.size);
    expect(index.owner).toEqual(rows.skill);
    expect(index.doc).toEqual(rows.doc);
    expect(Buffer.from(index.oids)).toEqual(Buffer.from(rows.oid));
    expect(index.oid(1)).toBe(Buffer.from(rows.oid.subarray(20, 40)).toString('hex'));
    expect(made.skills.map((_, number) => index.skill(number))).toEqual(made.skills);
    expect(Object.keys(index.skill(1).facts.metadata ?? {})).toEqual(['z', 'a', 'a b']);
    expect(index.manifests).toEqual(made.manifests);
    expect(made.texts.map((record) => index.text(record.row))).toEqual(made.texts);
    expect(index.links(0)).toEqual(['docs/b.md', 'gone.md']);
    expect(index.links(1)).toEqual([]);
    expect(index.text(1)).toBeNull();
    expect(index.overviews).toEqual(made.overviews);
    expect(index.closedFolders).toEqual(made.closedFolders);
    expect(made.diagnostics.map((_, number) => index.diagnostic(number))).toEqual(made.diagnostics);
    expect(index.identity).toEqual(made.identity);
    expect(index.counts).toEqual(made.counts);
    expect(index.partial).toEqual(made.partial);
    expect(Buffer.from(index.segment)).toEqual(Buffer.from(SEGMENT));
  });

  it('finds the row of exactly the paths it holds', () => {
    made.rows.path.forEach((path, row) => {
      expect(index.rowOf(path)).toBe(row);
      expect(index.rowOf(`${path}x`)).toBe(-1);
      expect(index.rowOf(path.slice(0, -1))).toBe(-1);
    });
    expect(index.rowOf('')).toBe(-1);
    // Half of a surrogate pair is written as U+FFFD, and must not find the file of that name.
    expect(index.rowOf('skills/\ud83d/SKILL.md')).toBe(-1);
  });

  it('finds the diagnostics of one path and of all paths below a folder', () => {
    expect(index.diagnosticsOf('skills/ä/SKILL.md')).toEqual(made.diagnostics.slice(2));
    expect(index.diagnosticsOf('skills')).toEqual([]);
    expect(index.diagnosticsBelow('skills')).toEqual([2, 4]);
    expect(index.diagnosticsBelow('')).toEqual([1, 4]);
    expect([...index.diagnosticErrors]).toEqual([1]);
  });

  it('folds files under their skill, and finds no copy and none of its files', () => {
    const group = (path: string) => index.docGroup[index.doc[index.rowOf(path)] ?? -1];
    expect(group('docs/b.md')).toBe(index.doc[index.rowOf('docs/b.md')]);
    expect(group('skills/ä/SKILL.md')).toBe(index.doc[index.rowOf('skills/ä/SKILL.md')]);
    expect(group('skills/copy/SKILL.md')).toBe(-1);
    expect([...index.docRow].map((row) => index.doc[row])).toEqual([...index.docRow.keys()]);
  });

  it('has bytes that depend on nothing but what it says', () => {
    const again = tables(FILES, REST).tables;
    const reordered = again.skills.map((record) => ({
      ...record,
      facts: {
        ...Object.fromEntries(Object.entries(record.facts).reverse()),
        ...record.facts,
        include: record.facts.include ?? [],
      },
    }));
    const straight = again.skills.map((record) => ({
      ...record,
      facts: { ...record.facts, include: record.facts.include ?? [] },
    }));
    expect(joined(again)).toEqual(joined(made));
    expect(joined({ ...again, skills: reordered })).toEqual(joined({ ...again, skills: straight }));
  });

  it('opens at an odd address, and when it is empty', () => {
    const bytes = joined(made);
    const shifted = Buffer.alloc(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(openIndex(shifted.subarray(3)).path(3)).toBe(made.rows.path[3]);
    const empty = openIndex(joined(tables({}).tables, new Uint8Array(0)));
    expect(empty.rowCount).toBe(0);
    expect(empty.rowOf('a')).toBe(-1);
    expect(empty.folders.count).toBe(1);
    expect(empty.diagnosticsBelow('')).toEqual([0, 0]);
  });

  it('is refused when it is shorter or longer than it says', () => {
    const bytes = joined(made);
    for (let length = 0; length < bytes.length; length += length < 2_000 ? 1 : 61)
      expect(() => openIndex(bytes.subarray(0, length)), `${length} bytes`).toThrow(IndexFileError);
    expect(() => openIndex(Buffer.concat([bytes, Buffer.of(0)]))).toThrow(IndexFileError);
  });

  it('is refused when any bit of it was changed', () => {
    const bytes = joined(made);
    const flip = (at: number, bit: number) => {
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
      return () => openIndex(damaged);
    };
    for (let at = 0; at < bytes.length; at += at < 1_300 ? 1 : 13)
      expect(flip(at, at % 8), `byte ${at}`).toThrow(IndexFileError);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        expect(flip(at, bit)).toThrow(IndexFileError);
      }),
    );
  });

  it('is refused when it is of another version, and says so', () => {
    const bytes = Uint8Array.from(joined(made));
    bytes[4] = 99;
    expect(() => openIndex(bytes)).toThrow(expect.objectContaining({ reason: 'version' }));
  });

  it('is not written from rows that are out of order', () => {
    const { rows } = made;
    const path = [...rows.path].reverse();
    expect(() => encodeIndex({ ...made, rows: { ...rows, path } }, SEGMENT)).toThrow(RangeError);
  });
});

describe('the folders of an index', () => {
  const segment = fc.constantFrom('a', 'a-', 'a-b', 'b', 'b.', 'c', '\u{ffee}', '\u{1f600}');
  const anyPath = fc
    .array(segment, { minLength: 1, maxLength: 4 })
    .map((segments) => [...segments, 'f.md'].join('/'));

  it('are those above what is listed, each with its own children in the order of their names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyPath, { maxLength: 25 }), (paths) => {
        const { folders } = openIndex(
          joined(tables(Object.fromEntries(paths.map((path) => [path, { class: 'document' }]))).tables),
        );
        const expected = new Set(['']);
        for (const path of paths)
          for (let folder = dirname(path); folder !== ''; folder = dirname(folder)) expected.add(folder);
        const all = Array.from({ length: folders.count }, (_, folder) => folders.path(folder));
        expect(new Set(all)).toEqual(expected);
        expect(all.length).toBe(expected.size);
        all.forEach((path, folder) => {
          expect(folders.of(path)).toBe(folder);
          const below = paths.filter((one) => path === '' || one.startsWith(`${path}/`));
          expect(folders.counts[folder * 2 + 1]).toBe(below.length);
          expect((folders.rows[folder * 2 + 1] ?? 0) - (folders.rows[folder * 2] ?? 0)).toBe(below.length);
          const childFolders = [
            ...folders.childFolders.subarray(
              folders.childFolderEnds[folder - 1] ?? 0,
              folders.childFolderEnds[folder],
            ),
          ].map((child) => folders.path(child));
          expect(childFolders).toEqual(
            all.filter((one) => one !== '' && dirname(one) === path).sort(compareUtf8),
          );
          const files = [
            ...folders.childFiles.subarray(
              folders.childFileEnds[folder - 1] ?? 0,
              folders.childFileEnds[folder],
            ),
          ];
          expect(files).toHaveLength(paths.filter((one) => dirname(one) === path).length);
        });
      }),
    );
  });

  it('know who introduces them, and count what can be discovered below', () => {
    const index = openIndex(joined(tables(FILES, REST).tables));
    const { folders } = index;
    const skills = folders.of('skills');
    expect(folders.counts[skills * 2]).toBe(3);
    expect(folders.counts[0]).toBe(3);
    expect(folders.counts[1]).toBe(1);
    expect(folders.skill[folders.of('skills/copy')]).toBe(0);
    expect(folders.skill[skills]).toBe(-1);
    expect(folders.manifest[0]).toBe(0);
    expect(index.path(folders.overview[0] ?? -1)).toBe('README.md');
    expect(folders.closed[folders.of('closed')]).toBe(1);
    expect(folders.of('nothing')).toBe(-1);
  });

  it('appear for what would be listed but for its content, and not for links that stand anywhere', () => {
    const { folders } = openIndex(
      joined(
        tables({
          '.mirror/a/SKILL.md': { class: 'withheld', withheld: 'symlink' },
          'bin/tool': { class: 'withheld', withheld: 'symlink' },
          'large/SKILL.md': { class: 'withheld', withheld: 'too_large' },
          'linked/SKILL.md': { class: 'withheld', withheld: 'symlink' },
          'manifest/SKILLCDN.md': { class: 'manifest' },
          'module/part': { class: 'withheld', withheld: 'submodule' },
          'pointer/a.json': { class: 'withheld', withheld: 'lfs_pointer' },
        }).tables,
      ),
    );
    const shown = Array.from({ length: folders.count }, (_, folder) => folders.path(folder));
    expect(shown).toEqual(['', 'large', 'linked', 'manifest', 'pointer']);
  });

  it('appear for what only a link reaches, list nothing of it, and show nothing below a closed one', () => {
    const { folders } = openIndex(
      joined(
        tables(
          {
            'linked/a.md': { class: 'reference' },
            'shut/SKILLCDN.md': { class: 'withheld', withheld: 'closed_scope' },
            'shut/in/SKILL.md': { class: 'skill' },
            'shut-not/SKILL.md': { class: 'skill' },
          },
          { closedFolders: ['shut', 'shut/in'] },
        ).tables,
      ),
    );
    const linked = folders.of('linked');
    expect(linked).toBeGreaterThan(0);
    expect(folders.childFileEnds[linked]).toBe(folders.childFileEnds[linked - 1]);
    expect([folders.counts[linked * 2], folders.counts[linked * 2 + 1]]).toEqual([0, 0]);
    expect(folders.of('shut')).toBeGreaterThan(0);
    expect(folders.of('shut/in')).toBe(-1);
    expect(folders.counts[0]).toBe(1);
  });
});
