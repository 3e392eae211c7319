// Names for what a process is making, which say whose it is. A home may be that of other machines and containers too,
// where the same number is another process.
import { createHash, randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { alive } from '@skillquay/git/process-alive';

/** Where the numbers of processes mean what they mean here; containers may share the name of their host. */
export const MACHINE = createHash('sha256')
  .update(`${hostname()}\n${numberSpace()}`)
  .digest('hex')
  .slice(0, 12);

function numberSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** No other process, here or elsewhere, makes the same. */
export function ownName(): string {
  return `${MACHINE}-${process.pid}-${randomBytes(6).toString('hex')}`;
}

/** Whose a name is that `ownName` made: of this process, of one that runs or may run, or of one that has ended here. */
export function ownerOf(name: string): 'own' | 'other' | 'ended' | null {
  const [, machine, digits] = /^([0-9a-f]{12})-(\d+)-/.exec(name) ?? [];
  if (machine === undefined) return null;
  const pid = Number(digits);
  if (machine !== MACHINE) return 'other';
  if (pid === process.pid) return 'own';
  return alive(pid) ? 'other' : 'ended';
}
