// Which files of a folder state its licence.

/** A larger file states no licence that this reads. Source: format, section 10. */
export const MAX_LICENCE_BYTES = 64 * 1024;

const STEM = /^(?:licen[cs]e|copying|unlicen[cs]e)$/i;
/** Endings that say how a text is written, not which text it is: those of documents that nobody here can read as well. */
const FORMAT = /\.(?:md|markdown|txt|text|rst|adoc|asc|html?|pdf|rtf|docx?|odt)$/i;
/** A line feed too: git names files as it likes. */
const NAME = /^(licen[cs]e|copying|unlicen[cs]e)([-_. ]|(?=\(?\d))(.+)$/is;
/** Of a copy: `LICENSE2`, `license(1)`, `License (copy)`. */
const OF_COPY = /^(?:\d+|\((?:\d+|copy)\))$/i;
/** Names of licences, by which the rest of a name says that it is one: `license-mit`, `copying.lesser`. */
const LICENCE_WORD =
  /(?:^|[^a-z])(?:mit|apache2?|bsd|gpl|lgpl|agpl|lesser|mpl|epl|isc|zlib|boost|cc|cc0|by|ofl|unlicense|elastic|sspl|busl|bsl|fsl|polyform|prosperity|openrail|nc|nd|noncommercial|eula|proprietary|commercial)(?![a-z])/i;
/** Words that say so only where they are all there is: `license-agreement` is one, `license-agreement-review` is not. */
const TERMS_ALONE =
  /^(?:(?:academic|agreement|and|community|conditions|custom|ee|end|enterprise|evaluation|free|full|internal|models|of|paid|premium|private|pro|research|restricted|source|terms|trial|use|user|weights)(?:[-_. ]+|$))+$/i;
const CODE =
  /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|sh|ps1|c|h|cc|cpp|cs|json|ya?ml|toml|xml|csv|svg|png)$/i;

/** What follows the stem of a licence file's name, '' where nothing does: `MIT` of `LICENSE-MIT.txt`. */
export function licenceFileSuffix(name: string): string {
  return NAME.exec(name.replace(FORMAT, ''))?.[3] ?? '';
}

/**
 * True for `LICENSE`, `LICENCE`, `COPYING` and `UNLICENSE` in any casing, alone or with a suffix (`.md`, `.txt`, `-MIT`,
 * `.Apache-2.0`). A suffix that is no known word counts only after a stem in capitals, as such files are named by
 * custom: `LICENSE-DOCS` is one, `license_checker.py` and `license-compatibility.md` are not.
 */
export function isLicenceFileName(name: string): boolean {
  const bare = name.replace(FORMAT, '');
  if (STEM.test(bare)) return true;
  const [, stem = '', , suffix = ''] = NAME.exec(bare) ?? [];
  if (suffix === '' || CODE.test(name)) return false;
  return (
    OF_COPY.test(suffix) ||
    LICENCE_WORD.test(suffix) ||
    TERMS_ALONE.test(suffix) ||
    stem === stem.toUpperCase()
  );
}

/** True for names that state a licence where another one beside them does: any suffix, but for that of code. */
export function mayBeLicenceFile(name: string): boolean {
  return isLicenceFileName(name) || (NAME.test(name.replace(FORMAT, '')) && !CODE.test(name));
}

/**
 * The names among those of one folder that state its licence, in the order of their bytes: every bare name (`LICENSE`,
 * `COPYING`), or where there is none every suffixed one, whatever its suffix where one is known. The strictest of what
 * they say counts.
 */
export function licenceFilesOf(names: Iterable<string>): string[] {
  const possible = [...names].filter(mayBeLicenceFile).sort(byCodeUnits);
  const bare = possible.filter((name) => STEM.test(name));
  if (bare.length > 0) return bare;
  return possible.some(isLicenceFileName) ? possible : [];
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
