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
    'THIRD_PARTY_LICENSES',
    'NOTICE',
    'README.md',
    'my-license',
    'COPYING_IS_CARING.png',
    'license-summit.md',
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

  it('are none in a folder without licence', () => {
    expect(licenceFilesOf(['README.md', 'licensing.md'])).toEqual([]);
  });
});
