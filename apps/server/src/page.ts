// Where a page of an answer begins, and the cursor that leads to the next one.
import type { MountIdentity } from '@skillquay/core/answers';
import {
  type CursorBinding,
  type CursorPosition,
  type Mac,
  openCursor,
  sealCursor,
} from '@skillquay/core/cursor';

/** What every cursor of a mount is bound to. */
export interface PageContext {
  readonly identity: MountIdentity;
  /** Reading-rules version, hash of the limits included. */
  readonly rules: string;
  /** The serving policy that applied, in a few characters. */
  readonly policy: string;
  readonly mac: Mac;
}

/** Where a page begins, and how its end is sealed; null for a cursor that is not of this request. */
export function pageOf(
  { identity, rules, policy, mac }: PageContext,
  operation: string,
  scope: string,
  subject: string,
  cursor: string | null,
): { readonly position: CursorPosition; readonly seal: (position: CursorPosition) => string } | null {
  const binding: CursorBinding = {
    snapshot: `${identity.repository} ${identity.commit}`,
    rules,
    policy,
    mount: identity.path,
    operation,
    scope,
    subject,
  };
  const position = cursor === null ? [] : openCursor(mac, binding, cursor);
  return position === null
    ? null
    : { position, seal: (next: CursorPosition) => sealCursor(mac, binding, next) };
}
