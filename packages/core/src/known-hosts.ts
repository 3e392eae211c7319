// The hosts an address may name, and how each lets owners and repositories be called.

/** How a host spells names. Checked before the host is asked anything. */
export interface HostNaming {
  /** Matches one valid owner; of nested groups, each part. */
  readonly owner: RegExp;
  readonly repo: RegExp;
  /** Groups may be nested: the owner is several parts, joined with `~` in an address. */
  readonly nested: boolean;
  /** The host takes names in any case; their canonical form is lower-case. */
  readonly folds: boolean;
  /** Completes "An owner here has …". */
  readonly ownerRule: string;
  /** Completes "A repository here has …". */
  readonly repoRule: string;
}

export interface KnownHost {
  /** First segment of its addresses, lower-case. */
  readonly key: string;
  readonly title: string;
  /** Domains whose git URLs become addresses of this host. */
  readonly domains: readonly string[];
  readonly naming: HostNaming;
}

const GITHUB: HostNaming = {
  // Accounts that an enterprise manages end in an underscore and its short code.
  owner: /^[A-Za-z0-9][A-Za-z0-9_-]{0,38}$/,
  repo: /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
  nested: false,
  folds: true,
  ownerRule: '1 to 39 letters, digits, hyphens and underscores, and a letter or digit first',
  repoRule: '1 to 100 letters, digits, dots, hyphens and underscores',
};

const GITLAB: HostNaming = {
  owner: /^(?!.*\.(?:git|atom)$)[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/i,
  repo: /^(?!.*\.(?:git|atom)$)[A-Za-z0-9_.][A-Za-z0-9._-]{0,254}$/i,
  nested: true,
  folds: true,
  ownerRule:
    'letters, digits, dots, hyphens and underscores in each group, and "~" between a group and its subgroup',
  repoRule: '1 to 255 letters, digits, dots, hyphens and underscores, and no hyphen first',
};

const FORGEJO: HostNaming = {
  owner: /^[A-Za-z0-9_][A-Za-z0-9._-]{0,39}$/,
  repo: /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/,
  nested: false,
  folds: true,
  ownerRule: '1 to 40 letters, digits, dots, hyphens and underscores',
  repoRule: '1 to 100 letters, digits, dots, hyphens and underscores',
};

const LOCAL: HostNaming = {
  owner: /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._-]{1,100}$/u,
  repo: /^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._-]{1,100}$/u,
  nested: false,
  folds: false,
  ownerRule: '1 to 100 letters, digits, dots, hyphens and underscores',
  repoRule: '1 to 100 letters, digits, dots, hyphens and underscores',
};

export const KNOWN_HOSTS: readonly KnownHost[] = [
  { key: 'gh', title: 'GitHub', domains: ['github.com', 'www.github.com', 'ssh.github.com'], naming: GITHUB },
  {
    key: 'gl',
    title: 'GitLab',
    domains: ['gitlab.com', 'www.gitlab.com', 'altssh.gitlab.com'],
    naming: GITLAB,
  },
  { key: 'cb', title: 'Codeberg', domains: ['codeberg.org', 'www.codeberg.org'], naming: FORGEJO },
  { key: 'local', title: 'what this process was started with', domains: [], naming: LOCAL },
];
