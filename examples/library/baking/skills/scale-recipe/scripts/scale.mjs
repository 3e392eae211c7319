#!/usr/bin/env node
// Scales one formula: `scale.mjs <formulas.json> <name> (--pieces N --weight GRAMS | --flour GRAMS)`.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pieces: { type: 'string' }, weight: { type: 'string' }, flour: { type: 'string' } },
});
const [file, name] = positionals;
const formula = file && name ? JSON.parse(readFileSync(file, 'utf8'))[name] : undefined;
const dough = Number(values.pieces) * Number(values.weight);
if (!formula || !(dough > 0 || Number(values.flour) > 0)) {
  console.error('usage: scale.mjs <formulas.json> <name> (--pieces N --weight GRAMS | --flour GRAMS)');
  process.exit(64);
}

const LEFT_IN_THE_BOWL = 1.02;
const sum = Object.values(formula).reduce((total, percent) => total + percent, 0);
const onePercent = values.flour ? Number(values.flour) / 100 : (dough * LEFT_IN_THE_BOWL) / sum;

let total = 0;
for (const [ingredient, percent] of Object.entries(formula)) {
  const grams = percent * onePercent;
  total += grams;
  const shown = percent < 5 ? grams.toFixed(1) : String(Math.round(grams / 5) * 5);
  console.log(`${ingredient.padEnd(18)}${String(percent).padStart(6)} %${shown.padStart(9)} g`);
}
console.log(`${'total'.padEnd(18)}${sum.toFixed(1).padStart(6)} %${String(Math.round(total)).padStart(9)} g`);
