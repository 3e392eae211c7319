// Names that are passed over where skills are listed and where a folder is read. Source: spec, The personal registry.

/** What tools leave behind, and everything that begins with a dot. */
const NAMES: ReadonlySet<string> = new Set(['node_modules', '__pycache__']);

export function isPassedOver(name: string): boolean {
  return name.startsWith('.') || NAMES.has(name);
}

/** What appears in a folder of a skill when the skill is used or looked at, and says nothing about its files. */
export function isLeftBehind(name: string): boolean {
  return NAMES.has(name) || name === '.DS_Store';
}
