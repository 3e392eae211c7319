// Who builds an index: one at a time for each, whoever takes the lease first.

/** The right to build one index, until it is released. */
export interface Lease {
  release(): Promise<void>;
}

/** Where leases are kept. The one below knows this process; a table in a database knows many. */
export interface Leases {
  /** null while another holds it. */
  take(key: string): Promise<Lease | null>;
}

export function processLeases(): Leases {
  const held = new Set<string>();
  return {
    async take(key) {
      if (held.has(key)) return null;
      held.add(key);
      return {
        async release() {
          held.delete(key);
        },
      };
    },
  };
}
