// Which folders are looked into for skills. Source: format, sections 1 and 9.
import { isPassedOver } from '@skillquay/registry/passed-over';

/** Everything but what git and tools keep for themselves. */
export function isSearched(name: string): boolean {
  return name !== '.git' && (name.startsWith('.') || !isPassedOver(name));
}

/** Not hidden: skills in hidden folders count only where there are no others. */
export function isVisible(name: string): boolean {
  return !name.startsWith('.');
}
