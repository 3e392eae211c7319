// Makes a file of tests a script that a process of its own can run.
import { basename, join } from 'node:path';
import { build } from 'vite';

/** Bundles a `.ts` file into the folder and returns the path of the script. */
export async function bundle(entry: string, folder: string): Promise<string> {
  const script = `${basename(entry, '.ts')}.mjs`;
  await build({
    configFile: false,
    logLevel: 'silent',
    root: folder,
    ssr: { noExternal: true },
    build: {
      ssr: entry,
      outDir: folder,
      emptyOutDir: false,
      rolldownOptions: { output: { entryFileNames: script } },
    },
  });
  return join(folder, script);
}
