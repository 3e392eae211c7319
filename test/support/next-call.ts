// The literal call a result names last, as a client that follows it would take it.
import { readContent } from '@skillquay/core/contract/content';
import * as walk from '../../referees/walk.mjs';

export function nextCall(text: string): walk.NextCall | null {
  return walk.nextCall(text, readContent);
}
