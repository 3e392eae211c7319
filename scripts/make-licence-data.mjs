// `node scripts/make-licence-data.mjs`: writes what the licence readers know, from the SPDX list. With `--check` it
// writes nothing, and exits with 1 where what is written is not what it would write.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceDataModule } from './lib/licence-data.mjs';
import { permissiveIdsModule } from './lib/permissive-ids.mjs';
import { ROOT } from './lib/setup.mjs';

const FOLDER = join(ROOT, 'packages/core/src/lib');
const modules = { 'permissive-ids.ts': permissiveIdsModule(), 'licence-data.ts': await licenceDataModule() };

for (const [name, text] of Object.entries(modules)) {
  const path = join(FOLDER, name);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${path} is not what the SPDX list gives; run node scripts/make-licence-data.mjs.`);
    process.exitCode = 1;
  }
}
