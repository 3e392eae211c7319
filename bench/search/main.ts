// Runs the search benchmark from a shell, once it is bundled.

import run from './known-item.ts';

await run(process.argv.slice(2));
