// Looks for the scripts that skills ask to run among the entries of the commit.
import type { Diagnostic } from '@skillquay/core/facts';
import { dirname, joinPath } from '@skillquay/core/paths';
import { missingScripts } from '@skillquay/core/trust-signals';
import type { Classes } from '../classify.ts';
import { type Policy, Scope } from '../policy.ts';
import type { Facts } from './build-facts.ts';
import type { Listing } from './build-listing.ts';
import { positionOf } from './build-ranges.ts';

export function judgeScripts(listing: Listing, policy: Policy, classes: Classes, facts: Facts): Diagnostic[] {
  const holds = (path: string) => {
    for (let at = path; at !== ''; at = dirname(at)) {
      const entry = positionOf(listing.path, at);
      // An entry in the place of a folder is a link or a submodule: what lies behind it is not known here.
      if (entry !== -1) return policy.scope[entry] !== Scope.excluded;
    }
    return false;
  };
  return classes.skills.flatMap((entry) => {
    const asked = facts.scriptsOf(entry);
    if (asked === undefined) return [];
    const path = listing.path[entry] ?? '';
    return missingScripts(asked, path, (script) => placesOf(dirname(path), script).some(holds));
  });
}

/**
 * Where a script may lie: below the skill's folder or a folder above it, or, where the path begins with folders in which
 * the skill is to be installed, below the skill's folder by the rest of the path.
 */
function placesOf(folder: string, script: string): string[] {
  const places = [joinPath(folder, script)];
  for (let above = folder; above !== ''; above = dirname(above))
    places.push(joinPath(dirname(above), script));
  for (let slash = script.indexOf('/'); slash !== -1; slash = script.indexOf('/', slash + 1))
    places.push(joinPath(folder, script.slice(slash + 1)));
  return places;
}
