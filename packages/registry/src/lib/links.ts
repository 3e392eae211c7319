// Whether a link in a skill stays in the skill. Source: spec, The personal registry, "local_folder" and "get_skill".
import { dirname } from '@skillquay/core/paths';

/** Every folder that holds one of these paths, or holds one that does; the skill's own folder is ''. */
export function foldersOf(paths: Iterable<string>): ReadonlySet<string> {
  const folders = new Set(['']);
  for (const path of paths) {
    for (let folder = dirname(path); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  return folders;
}

/**
 * Whether the link at `path` leads to something below the skill's folder, on any platform and wherever other links of
 * the skill lead: it steps up only from what is truly a folder, never from what could be a link to somewhere deeper.
 */
export function staysInside(path: string, target: string, folders: ReadonlySet<string>): boolean {
  if (target === '' || /^\/|[\\\0]|^[a-z]:/i.test(target)) return false;
  const at = path.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') {
      at.push(part);
      continue;
    }
    if (at.length === 0 || !folders.has(at.join('/'))) return false;
    at.pop();
  }
  return true;
}
