// A loader hook: gives the conformance suite an `fs` that has globSync, which Node has only from version 22 on.
// The suite names it in an import, so without it nothing starts; it is called for a report that is not used here.
const FS = new URL('./fs.mjs', import.meta.url).href;

export function resolve(specifier, context, next) {
  const fromSuite = context.parentURL?.includes('/@modelcontextprotocol/conformance/');
  if (fromSuite && (specifier === 'fs' || specifier === 'node:fs')) return { url: FS, shortCircuit: true };
  return next(specifier, context);
}
