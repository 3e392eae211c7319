export function residentBytes(root: number): number;
export function watchMemory(root: number): { stop(): number };
