// Preload for the conformance suite: `node --import ./conformance/node20.mjs …`. See hooks.mjs.
import fs from 'node:fs';
import { register } from 'node:module';

if (!fs.globSync) register('./hooks.mjs', import.meta.url);
