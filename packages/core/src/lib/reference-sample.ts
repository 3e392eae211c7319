// One small library, as answers: what the examples of the reference show.
import type {
  BrowseAnswer,
  FileAnswer,
  MountIdentity,
  MountOverview,
  SearchAnswer,
  SkillAnswer,
  SkillContext,
  SkillEntry,
} from '../answers.ts';

export const IDENTITY: MountIdentity = {
  address: '/gh/acme/library@v3',
  repository: '/gh/acme/library',
  path: '',
  commit: '3f1c2a9d0b7e4c5f8a6d1e2b3c4d5e6f7a8b9c0d',
  ref: 'v3',
  pinned: false,
  verified: false,
};

const AD_COPY: SkillEntry = {
  kind: 'skill',
  path: 'marketing/skills/ad-copy/SKILL.md',
  browsePath: 'marketing/skills/ad-copy',
  name: 'ad-copy',
  description:
    'Writes short advertising copy in the voice of the brand. Use for ads, banners and product teasers.',
};

export const BROWSE: BrowseAnswer = {
  path: '',
  name: 'Acme library',
  description: 'How we write, sell and ship.',
  language: 'en',
  overview: { path: 'README.md', title: 'Acme library', summary: 'Skills for everyone at Acme.' },
  manifestPath: 'SKILLCDN.md',
  counts: { skills: 14, documents: 3 },
  entries: [
    {
      kind: 'folder',
      path: 'docs',
      skills: 0,
      documents: 3,
    },
    {
      kind: 'folder',
      path: 'marketing',
      skills: 12,
      documents: 0,
      name: 'Marketing',
      description: 'Copy, campaigns and the voice of the brand.',
      manifestPath: 'marketing/SKILLCDN.md',
      overviewPath: 'marketing/README.md',
    },
    {
      kind: 'folder',
      path: 'release-notes',
      skills: 1,
      documents: 0,
      skill: {
        kind: 'skill',
        path: 'release-notes/SKILL.md',
        browsePath: 'release-notes',
        name: 'release-notes',
        description: 'Turns merged changes into release notes.',
      },
    },
    { kind: 'withheld', path: 'model.bin', reason: 'lfs_pointer', size: 734_003_200 },
  ],
  position: 0,
  total: 9,
  diagnostics: [
    {
      code: 'invalid_front_matter',
      severity: 'error',
      path: 'marketing/skills/broken/SKILL.md',
      line: 3,
      column: 14,
      message: 'The front matter is not valid YAML.',
      hint: 'Put quotes around a value that contains ": ".',
    },
  ],
  partial: null,
};

export const SEARCH: SearchAnswer = {
  query: 'write ad copy',
  path: '',
  hits: [
    {
      kind: 'skill',
      skill: AD_COPY,
      files: ['marketing/skills/ad-copy/references/headlines.md'],
      moreFiles: 2,
    },
    {
      kind: 'document',
      path: 'docs/voice.md',
      title: 'Our voice',
      summary: 'How Acme sounds, with examples of copy.',
    },
  ],
  positions: [
    { score: 90_210, group: 4 },
    { score: 41_007, group: 17 },
  ],
  more: true,
  diagnostics: [],
  partial: { reasons: ['12 files beyond the limit of 200,000 indexed files are not searched.'] },
};

export const SKILL: SkillAnswer = {
  path: AD_COPY.path,
  name: AD_COPY.name,
  description: AD_COPY.description,
  licence: { kind: 'permissive', label: 'MIT', where: 'LICENSE' },
  compatibility: 'Needs a browser.',
  allowedTools: 'Read WebFetch',
  metadata: { author: 'acme', version: '1.2' },
  warnings: [
    {
      code: 'commented_value',
      severity: 'warning',
      path: AD_COPY.path,
      line: 5,
      message: 'The value ends at " #".',
      hint: 'Put the value in quotes.',
    },
  ],
  files: ['marketing/skills/ad-copy/references/headlines.md', 'marketing/skills/ad-copy/tone.json'],
  fileCount: 3,
  references: ['docs/voice.md'],
  leftOut: [
    { kind: 'withheld', path: 'marketing/skills/ad-copy/fonts.zip', reason: 'too_large', size: 4_194_304 },
  ],
  sourceUrl:
    'https://github.com/acme/library/blob/3f1c2a9d0b7e4c5f8a6d1e2b3c4d5e6f7a8b9c0d/marketing/skills/ad-copy/SKILL.md',
};

const RULES = 'Write plain English. Never promise what the product does not do.\n';
const BODY = `# Ad copy

1. Ask for the product and the audience.
2. Write three variants of at most 90 characters.
3. Check each against [our voice](/docs/voice.md).
`;

export const CONTEXT: SkillContext = {
  parts: [
    { kind: 'rules', path: 'SKILLCDN.md', text: RULES },
    { kind: 'instructions', path: SKILL.path, text: BODY },
    { kind: 'included', path: 'marketing/skills/ad-copy/tone.json', text: '{ "tone": "warm" }\n' },
  ],
  missing: [],
};

export const FILE: FileAnswer = {
  path: 'docs/voice.md',
  text: '# Our voice\n\nHow Acme sounds, with examples of copy.\n',
};

export const OVERVIEW: MountOverview = {
  path: '',
  name: 'Acme library',
  description: 'How we write, sell and ship.',
  language: 'en',
  overview: { path: 'README.md', title: 'Acme library', summary: 'Skills for everyone at Acme.' },
  counts: BROWSE.counts,
  folders: BROWSE.entries.filter((entry) => entry.kind === 'folder'),
  diagnostics: BROWSE.diagnostics,
  partial: null,
};
