import { describe, expect, it } from 'vitest';
import { isLicenceFileName, licenceFilesOf } from './licence-file.ts';

describe('names of licence files', () => {
  it.each([
    'LICENSE',
    'LICENCE',
    'license',
    'License',
    'COPYING',
    'UNLICENSE',
    'LICENSE.md',
    'LICENSE.txt',
    'license.txt',
    'Licence.md',
    'COPYING.LESSER',
    'copying.lesser',
    'LICENSE-MIT',
    'license-mit',
    'LICENSE.MIT',
    'LICENSE_MIT.txt',
    'LICENSE-APACHE',
    'LICENSE.Apache-2.0',
    'LICENSE-CC-BY-4.0',
    'LICENSE-DOCS',
    'LICENSE-COMMERCIAL.md',
    'LICENSE.pdf',
    'license.docx',
    'LICENSE-a\nb',
    'License-Elastic.txt',
    'license-polyform.md',
    'license-polyform-noncommercial-1.0.0.md',
    'License.sspl',
    'license.busl',
    'license-nc.txt',
    'License-EULA.txt',
    'License Agreement.txt',
    'license-terms.txt',
    'license.enterprise.md',
    'licence-ee',
    'LICENSE(1).txt',
    'license(1).txt',
    'License (2)',
    'license (copy).md',
    'LICENSE2',
    'license2.txt',
    'license-models.txt',
    'license-weights.txt',
  ])('%s is one', (name) => {
    expect(isLicenceFileName(name)).toBe(true);
  });

  it.each([
    'license_checker.py',
    'license_compatibility_matrix.md',
    'license.mjs',
    'LICENSE.py',
    'license-header.txt',
    'licensed.md',
    'LICENSES',
    'LICENSES.md',
    'EULA.md',
    'PROPRIETARY-LICENSE.txt',
    'license2text.md',
    'license3d.md',
    'license-model.md',
    'THIRD_PARTY_LICENSES',
    'NOTICE',
    'README.md',
    'my-license',
    'COPYING_IS_CARING.png',
    'license-summit.md',
    'license-checker.md',
    'license-audit.md',
    'license-agreement-review.md',
    'license-terms-explained.md',
    'license-compatibility.md',
    'license-free.py',
    '',
    'LICENSE-',
  ])('%j is none', (name) => {
    expect(isLicenceFileName(name)).toBe(false);
  });
});

describe('the files that decide', () => {
  it('are the bare names where there is one', () => {
    expect(licenceFilesOf(['README.md', 'LICENSE.md', 'LICENSE-MIT', 'LICENSE', 'COPYING'])).toEqual([
      'COPYING',
      'LICENSE',
    ]);
  });

  it('are every suffixed name where there is no bare one', () => {
    expect(licenceFilesOf(['LICENSE-MIT', 'a', 'LICENSE-APACHE', 'LICENSE.md'])).toEqual([
      'LICENSE-APACHE',
      'LICENSE-MIT',
      'LICENSE.md',
    ]);
  });

  it('are all suffixed names beside one whose suffix is known', () => {
    expect(licenceFilesOf(['license-mit.txt', 'license-elastic.txt'])).toEqual([
      'license-elastic.txt',
      'license-mit.txt',
    ]);
    expect(
      licenceFilesOf(['license-mit.txt', 'license-acme.txt', 'license-acme.py', 'licensed.txt']),
    ).toEqual(['license-acme.txt', 'license-mit.txt']);
    expect(licenceFilesOf(['license-acme.txt', 'license-audit.md'])).toEqual([]);
  });

  it('are none in a folder without licence', () => {
    expect(licenceFilesOf(['README.md', 'licensing.md'])).toEqual([]);
  });
});
