// Looks for the scripts that skills ask to run among the entries of the commit.
import type { Diagnostic } from '@skillquay/core/facts';
import { dirname, joinPath } from '@skillquay/core/paths';
import { missingScripts } from '@skillquay/core/trust-signals';
import type { Classes } from '../classify.ts';
import { type Policy, Scope } from '../policy.ts';
import type { Facts } from './build-facts.ts';
import type { Listing } from './build-listing.ts';
import { belowAt, isFolder, positionOf, type Range } from './build-ranges.ts';

/** Folders in the path of a skill, and names in that of a script: more are nobody's layout, and each is looked up. */
const MAX_LEVELS = 32;

export function judgeScripts(listing: Listing, policy: Policy, classes: Classes, facts: Facts): Diagnostic[] {
  const holds = ({ folder, script }: Place, range?: Range): boolean => {
    for (let slash = script.indexOf('/'); ; slash = script.indexOf('/', slash + 1)) {
      const path = joinPath(folder, slash === -1 ? script : script.slice(0, slash));
      const entry = positionOf(listing.path, path, range);
      // An entry in the place of a folder is a link or a submodule: what lies behind it is not known here.
      if (entry !== -1) return policy.scope[entry] !== Scope.excluded;
      if (slash === -1 || !isFolder(listing.path, path, range)) return false;
    }
  };
  // Skills beside each other look for scripts of the same names in the folders above them.
  const above = new Map<string, boolean>();
  const isAbove = (place: Place): boolean => {
    const path = joinPath(place.folder, place.script);
    const known = above.get(path) ?? holds(place);
    above.set(path, known);
    return known;
  };
  return classes.skills.flatMap((entry) => {
    const asked = facts.scriptsOf(entry);
    if (asked === undefined) return [];
    const path = listing.path[entry] ?? '';
    if (levelsOf(path) > MAX_LEVELS) return [];
    const own = dirname(path);
    const inOwn = belowAt(listing.path, own, entry);
    const isThere = (script: string) =>
      levelsOf(script) > MAX_LEVELS ||
      placesOf(own, script).some((place) => (place.folder === own ? holds(place, inOwn) : isAbove(place)));
    return missingScripts(asked, path, isThere);
  });
}

function levelsOf(path: string): number {
  return path.split('/').length;
}

interface Place {
  /** A folder of the commit. */
  readonly folder: string;
  /** A path below it. */
  readonly script: string;
}

/**
 * Where a script may lie: below the skill's folder or a folder above it, or, where the path begins with folders in which
 * the skill is to be installed, below the skill's folder by the rest of the path.
 */
function placesOf(folder: string, script: string): Place[] {
  const places = [{ folder, script }];
  for (let above = folder; above !== ''; above = dirname(above))
    places.push({ folder: dirname(above), script });
  for (let slash = script.indexOf('/'); slash !== -1; slash = script.indexOf('/', slash + 1))
    places.push({ folder, script: script.slice(slash + 1) });
  return places;
}
