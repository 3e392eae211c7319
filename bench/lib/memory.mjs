// Memory of a process and everything it started, from /proc; where there is none, nothing is known.
import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** Resident bytes of the process tree below `root`, 0 where /proc is missing. */
export function residentBytes(root) {
  const processes = new Map();
  let names;
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return 0;
  }
  for (const name of names) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      processes.set(Number(name), {
        parent: Number(fields[1]),
        bytes: Number(fields[21]) * PAGE_BYTES,
        command,
      });
    } catch {
      // It ended while we looked.
    }
  }
  const below = (id) => id === root || (processes.has(id) && below(processes.get(id).parent));
  // A process that has just been forked and runs nothing of its own yet has the pages of its parent, not others.
  const isFork = ({ parent, command }) => processes.get(parent)?.command === command;
  let total = 0;
  for (const [id, process] of processes)
    if (id === root || (below(id) && !isFork(process))) total += process.bytes;
  return total;
}

/** Looks ten times a second; `stop` gives the most that was seen. */
export function watchMemory(root) {
  let peak = residentBytes(root);
  const look = () => {
    peak = Math.max(peak, residentBytes(root));
  };
  const timer = setInterval(look, 100);
  return {
    stop() {
      clearInterval(timer);
      look();
      return peak;
    },
  };
}
