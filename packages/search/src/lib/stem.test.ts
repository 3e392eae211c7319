import { expect, it } from 'vitest';
import { stem } from './stem.ts';

// The sample that the algorithm is published with.
const PUBLISHED = `
consign consign, consigned consign, consigning consign, consignment consign, consist consist, consisted consist,
consistency consist, consistent consist, consistently consist, consisting consist, consists consist,
consolation consol, consolations consol, consolatory consolatori, console consol, consoled consol, consoles consol,
consolidate consolid, consolidated consolid, consolidating consolid, consoling consol, consolingly consol,
consols consol, consonant conson, consort consort, consorted consort, consorting consort, conspicuous conspicu,
conspicuously conspicu, conspiracy conspiraci, conspirator conspir, conspirators conspir, conspire conspir,
conspired conspir, conspiring conspir, constable constabl, constables constabl, constance constanc,
constancy constanc, constant constant,
knack knack, knackeries knackeri, knacks knack, knag knag, knave knave, knaves knave, knavish knavish,
kneaded knead, kneading knead, knee knee, kneel kneel, kneeled kneel, kneeling kneel, kneels kneel, knees knee,
knell knell, knelt knelt, knew knew, knick knick, knif knif, knife knife, knight knight, knightly knight,
knights knight, knit knit, knits knit, knitted knit, knitting knit, knives knive, knob knob, knobs knob, knock knock,
knocked knock, knocker knocker, knockers knocker, knocking knock, knocks knock, knopp knopp, knot knot, knots knot`;

// One word at least for each step and each condition of the description.
const STEPS = `
caresses caress, ties tie, cries cri, gas gas, this this, gaps gap, kiwis kiwi, abyss abyss, us us,
agreed agre, feed feed, hopped hop, hoping hope, luxuriated luxuri, troubled troubl, sized size, bed bed, sing sing,
falling fall, filing file, cry cri, by by, say say, happy happi, enjoy enjoy,
relational relat, conditional condit, valency valenc, hesitancy hesit, capably capabl, vietnamization vietnam,
predication predic, operator oper, feudalism feudal, hopefulness hope, callousness callous, formality formal,
sensitivity sensit, sensibility sensibl, apology apolog, quickly quick, tightly tight, fully fulli,
triplicate triplic, formative format, formalize formal, electricity electr, electrical electr, hopeful hope,
goodness good, revival reviv, allowance allow, inference infer, airliner airlin, adjustable adjust,
replacement replac, adjustment adjust, dependent depend, adoption adopt, communism communism, activate activ,
effective effect, rate rate, cease ceas, controlling control, roll roll,
generate generat, generally general, communication communic, arsenal arsenal,
skis ski, skies sky, dying die, idly idl, news news, bias bias, inning inning, proceeds proceed, exceeding exceed,
youth youth, yes yes, sayings say, a a, is is`;

function table(text: string): [word: string, expected: string][] {
  return text
    .trim()
    .split(/,\s+/)
    .map((pair) => {
      const [word = '', expected = ''] = pair.split(' ');
      return [word, expected];
    });
}

it.each(table(PUBLISHED))('%s has the published stem %s', (word, expected) => {
  expect(stem(word)).toBe(expected);
});

it.each(table(STEPS))('%s is stemmed as the steps say, to %s', (word, expected) => {
  expect(stem(word)).toBe(expected);
});
