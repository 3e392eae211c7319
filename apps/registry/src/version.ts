// The version of the software, as `initialize`, `server/discover` and `--version` give it.
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
