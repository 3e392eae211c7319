// `node scripts/make-licence-data.mjs`: writes what the licence readers know, from the SPDX list.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { permissiveIdsModule } from './lib/permissive-ids.mjs';
import { ROOT } from './lib/setup.mjs';

const FOLDER = 'packages/core/src/lib';

writeFileSync(join(ROOT, FOLDER, 'permissive-ids.ts'), permissiveIdsModule());
