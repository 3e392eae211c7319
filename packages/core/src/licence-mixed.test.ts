import spdx from 'spdx-license-list/full';
import { beforeAll, describe, expect, it } from 'vitest';
import { type LicenceMatcher, loadLicenceMatcher } from './licence-text.ts';

let read: LicenceMatcher;
beforeAll(async () => {
  read = await loadLicenceMatcher();
});

const MINE = 'Copyright (c) 2025 Acme, Inc. All rights reserved.';
const LINE = 'Copyright (c) 2025 Acme, Inc.';
const MIT = text('MIT').replace(/^Copyright.*$/m, 'Copyright (c) 2019 Foo Contributors');
const APACHE = text('Apache-2.0');

function text(id: string): string {
  const found = spdx[id]?.licenseText;
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

// Files of work that is not to be passed on, or not all of it, which name an open licence or carry its text.
const MIXED: readonly string[] = [
  // What is said of a part
  `${MINE}\n\nThird-party components are licensed under the Apache License, Version 2.0.`,
  '© 2025 Example, PBC. All rights reserved.\n\nThe Fonts in this Folder are licensed under the SIL Open Font License.',
  `${MINE}\n\nIncludes React, licensed under the MIT License.`,
  `${MINE}\n\njQuery is licensed under the MIT License.`,
  `${MINE}\n\nDependencies are licensed under the MIT License.`,
  `${MINE}\n\nBased on Foo, licensed under MIT`,
  `${MINE}\n\nExamples are available under the Apache License 2.0.`,
  `${MINE}\n\nArtwork by Jane Doe is licensed under CC BY 4.0.`,
  `${LINE}\n\nThird-party components are licensed under the Apache License, Version 2.0.`,
  `${LINE}\n\nThe Fonts in this Folder are licensed under the SIL Open Font License.`,
  `${LINE}\n\nIncludes React, licensed under the MIT License.`,
  `${LINE}\n\njQuery is licensed under the MIT License.`,
  `${LINE}\n\nDocumentation is licensed under CC BY 4.0.`,
  `${LINE}\n\nThe documentation is licensed under CC BY 4.0.`,
  `${LINE}\n\nSource code is licensed under the MIT License.`,
  `${LINE}\n\nThe source code of Foo is released under the MIT License.`,
  `${LINE}\n\nOpen source software is licensed under the MIT License.`,
  `${LINE}\n\nFoo Library is distributed under the BSD-3-Clause license.`,
  `${LINE}\n\nAll images are licensed under CC0 1.0 Universal.`,
  `${LINE}\n\nThe text is available under CC BY-SA 4.0.`,
  `${LINE}\n\nSample data is dedicated to the public domain.`,
  'Third-party components are licensed under the MIT License.',
  'Includes React, licensed under the MIT License.',
  'Fonts are licensed under the SIL Open Font License, Version 1.1.',
  'Dependencies\n\nDependencies are licensed under the MIT License.',
  'Third-Party Notices\n\nMIT License',
  'Third-Party Notices\n\nReact\nLicensed under the MIT License.',
  `Bundled Fonts\n\n${text('OFL-1.1')}`,
  `Third-Party Components\n\n${MIT}`,
  `Includes Foo Library\n\n${MIT}`,
  `Contains Foo\n${LINE}\n\n${MIT}`,
  `Documentation\n\nCC-BY-4.0`,
  `Documentation license\n\nCC-BY-4.0`,
  'Source Code License\n\nMIT License',
  // What is said of the time, the version or the edition
  `${LINE}\n\nAcme 1.x is licensed under the MIT License.`,
  `${LINE}\n\nVersion 1 is licensed under MIT.`,
  `${LINE}\n\nThis version is licensed under the MIT License.`,
  `${LINE}\n\nAcme Community Edition is licensed under the AGPL-3.0.`,
  'Acme Enterprise\n\nAcme Community is licensed under the MIT License.',
  // All rights are reserved in the same breath
  `${MINE}\n\nMIT License`,
  `${MINE}\n\nLicensed under the MIT License.`,
  `${MINE}\n\nSPDX-License-Identifier: MIT`,
  `MIT License\n\n${MINE}`,
  `Apache-2.0\n© Acme, Inc., all rights reserved`,
  'Upstream code is licensed under the Apache License 2.0.\nModifications Copyright (c) 2025 Acme Corp. All rights reserved.',
  'Licensed under the Apache License 2.0.\nModifications Copyright (c) 2025 Acme Corp. All rights reserved.',
  'Licensed under the Apache License 2.0.\nModifications Copyright (c) 2025 Acme Corp.',
  `MIT License\n\nPortions copyright Acme, Inc.`,
  `${MIT}\n\nModifications Copyright (c) 2025 Acme Corp. All rights reserved.`,
  `${MIT}\n\n${MINE}`,
  `${APACHE}\n\n---\n\n${MINE}`,
  // A name of something else
  'Intel',
  'Nokia',
  `${LINE}\n\nW3C`,
  `${LINE}\n\nPython`,
  // Beside the text of a licence
  `Acme Toolkit\n${MINE}\nIncludes Foo Library, licensed under the MIT License:\n\n${MIT}`,
  `Acme Toolkit\n${MINE}\nIncludes Foo Library:\n\n${MIT}`,
  `Acme Toolkit\n${MINE}\n\nFoo Library\n\n${MIT}`,
  `Acme Toolkit\n${MINE}\nFoo Library\n\n${MIT}`,
  `${LINE}\nFoo Library is licensed under the MIT License:\n\n${MIT}`,
  `${LINE}\nLogo: CC-BY-NC-4.0\n\n${MIT}`,
  `${LINE}\nFonts by Jane Doe\n\n${MIT}`,
  `${LINE} Includes Foo Library.\n\n${MIT}`,
  `${LINE} Logo: CC BY-NC.\n\n${MIT}`,
  `${LINE}, Incorporating Foo\n\n${MIT}`,
  `${LINE} The Fonts Belong to Jane Doe.\n\n${MIT}`,
  MIT.replace('2019 Foo Contributors', '2025 Acme, Inc.\nLogo: CC-BY-NC-4.0'),
  MIT.replace('2019 Foo Contributors', '2025 Acme, Inc.\nFonts by Jane Doe'),
  MIT.replace('2019 Foo Contributors', '2025 Acme, Inc. Includes Foo Library.'),
  MIT.replace('2019 Foo Contributors', '2025 Acme, Inc. Keep Out.'),
  MIT.replace('2019 Foo Contributors', '2025 Acme keeps what it likes'),
  MIT.replace('2019 Foo Contributors', '2025 Acme, Inc. Alle Rechte vorbehalten. Logo ausgenommen.'),
  `Acme Closed Source\n\nMIT License`,
  `Acme keeps what is here\n\n${MIT}`,
  `Copyright Acme - Foo is a separate work\n\n${MIT}`,
  `Copyright Acme (all other rights withheld)\n\n${MIT}`,
  `Copyright Acme, all rights\nreserved\n\nMIT License`,
  `${LINE}\nOpen source: MIT`,
  `${MIT}\n\nThe logo is licensed under CC BY 4.0.`,
  `${MIT}\n\nReact is licensed under the MIT License.`,
  `${MIT}\n\nhttps://acme.example/eula`,
  `MIT License\nhttps://acme.example/legal/enterprise-terms`,
  // An address that leads to other terms
  ...[
    'https://spdx.org/licenses/CC-BY-NC-4.0.html',
    'https://spdx.org/licenses/BUSL-1.1',
    'https://commonsclause.com/',
    'https://polyformproject.org/licenses/noncommercial/1.0.0',
    'https://www.elastic.co/licensing/elastic-license',
    'https://www.mongodb.com/licensing/server-side-public-license',
    'https://mariadb.com/bsl11/',
    'https://prosperitylicense.com/versions/3.0.0',
    'https://llama.meta.com/llama3/license/',
    'https://www.licenses.ai/',
    'https://creativecommons.org/l/by-nc/4.0/',
    'https://choosealicense.com/no-permission/',
    'https://fsl.software/',
    'https://acme.com/LICENSE-NC',
    'https://acme.example/agb',
  ].flatMap((address) => [`MIT License\n\n${address}\n`, `${MIT}\n${address}\n`, `MIT\n\n${address}\n`]),
  '![](https://img.shields.io/badge/license-proprietary-red)\n\nMIT License',
  '![](https://licensebuttons.net/l/by-nc/4.0/88x31.png)\n\nMIT License',
  // A part that the heading names
  `# Code\n\nThe code is licensed under the MIT License.\n\nCopyright (c) 2025 Acme (Model Weights and Prompts)`,
  `${MIT}\n\nCopyright (c) 2025 Acme (Model Weights)`,
  `${MIT}\n\nCopyright (c) 2025 Acme - Models, Weights, Prompts`,
  `${APACHE}\n\nCopyright 2025 Acme Corp, Model Weights`,
  '# Code\n\nThe code is licensed under the MIT License.',
  '# Scripts\n\nThe scripts are licensed under the MIT License.',
  'Frontend\n\nThe Frontend is licensed under the MIT License.\n\nCopyright (c) 2025 Acme (Backend)',
  'Acme Community Edition\n\nAcme Community Edition is licensed under the AGPL-3.0.',
  'Acme 1.x\n\nAcme 1.x is licensed under the MIT License.',
  'Open Core\n\nThe Open Core is licensed under the Apache License 2.0.',
  // Rights that are reserved in other words
  ...[
    'Alle rechten voorbehouden',
    'Wszelkie prawa zastrzeżone',
    'Tüm hakları saklıdır',
    'Minden jog fenntartva',
    'Toate drepturile rezervate',
    'Все права защищены',
    '모든 권리 보유',
    'جميع الحقوق محفوظة',
    'All Rights Retained',
    'Unpublished Work',
  ].map((reserved) => `Copyright (c) 2025 Acme BV\n${reserved}\n\nMIT License`),
];

it.each(MIXED.map((file) => [name(file), file]))('restrictive: %s', (_, file) => {
  expect(read(file).kind).toBe('restrictive');
});

describe('what is said of the whole', () => {
  it.each([
    'Licensed under the MIT License.',
    'This project is licensed under the MIT License.',
    'This software is released under the MIT license.',
    'The project is available under the MIT License.',
    'This repository is licensed under the MIT License.',
    'This skill is licensed under MIT.',
    'This plugin is dual-licensed under the MIT License.',
    'All files in this repository are licensed under the MIT License.',
    'The contents of this folder are licensed under the MIT License.',
    'Everything in this repository is released under the MIT License.',
    'This work by Ada Lovelace is licensed under MIT.',
    'Widget Toolkit\n\nWidget Toolkit is licensed under the MIT License.',
    '# Widget Toolkit\n\nThe Widget Toolkit is free software, licensed under the MIT License.',
    `${LINE}\n\nLicensed under the MIT License.`,
    `${LINE} This project is licensed under the MIT License.`,
    'Copyright 2025 Ada\nand contributors\n\nMIT License',
    'MIT\n\nCopyright (c) 2024 Acme',
    '# MIT\n\nCopyright 2024 Acme\n\nhttps://github.com/acme/widget',
    'MIT License\n\nCopyright 2024 Acme\n\nhttps://github.com/acme/commons-lang',
    'MIT License\n\nCopyright 2024 Acme\n\nhttps://mono-repo.dev/',
  ])('%j', (file) => {
    expect(read(file)).toEqual({ kind: 'permissive', label: 'MIT' });
  });
});

/** The text of a licence would be most of it. */
function name(file: string): string {
  const short = file.replace(MIT, '<MIT>').replace(APACHE, '<Apache-2.0>');
  return JSON.stringify(short.length > 160 ? `${short.slice(0, 160)}…` : short);
}
