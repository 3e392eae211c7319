// A folder served by itself is its own root: says so where its repository has rules above it.
import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { formatAddress } from '@skillquay/core/address';
import { MANIFEST_FILE } from '@skillquay/core/manifest-file';
import { addressOfSource } from '@skillquay/core/source-address';
import { locateRepository } from '@skillquay/git/locate';
import { quoted } from './shell-word.ts';

/** A sentence about the manifests above `folder` in its repository; null when there are none. */
export async function rulesAbove(folder: string): Promise<string | null> {
  const located = await locateRepository(folder);
  if (located === null || located.top === null || located.prefix === '') return null;
  const { top } = located;
  const path = located.prefix.replace(/\/$/, '');
  for (let above = dirname(path); ; above = dirname(above)) {
    const file = join(above, MANIFEST_FILE);
    if ((await stat(resolve(top, file)).catch(() => null))?.isFile()) {
      const root = addressOfSource(top);
      const at = root.ok ? formatAddress({ ...root.address, path }) : path;
      return `the rules in ${file} of the repository above do not apply. With them: skillquay serve ${quoted(top)}, at ${at}`;
    }
    if (above === '.') return null;
  }
}
