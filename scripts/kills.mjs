// `npm run kills`: what is killed in the tests of the registry, at 200 random moments of each. It takes half an hour.
process.env.SKILLQUAY_KILLS ??= '200';
process.argv.push('packages/registry/test', '-t', 'killed');
await import('./test.mjs');
