// The path of an endpoint URL: which repository, which ref, which directory. Source: spec, Addresses.

/** A parsed address. `path` is '' for the whole repository; `ref` is null for the default branch. */
export interface Address {
  /** Lower-case host key: `gh`, `gl`, `cb`, `local`, or one from the configuration. */
  readonly host: string;
  /** As the host spells it in a URL; nested groups are joined with `/`. */
  readonly owner: string;
  readonly repo: string;
  readonly ref: string | null;
  /** True when `ref` is a full commit hash: such an address never moves. */
  readonly pinned: boolean;
  readonly path: string;
}
