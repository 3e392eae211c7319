// The version of the software, as `initialize` and `server/discover` give it.
import manifest from '../package.json' with { type: 'json' };

export const VERSION: string = manifest.version;
