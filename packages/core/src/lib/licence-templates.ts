// The licence texts that are recognised, unpacked from the prepared data.
//
// The data is raw deflate in base64. Unpacked: the length of the head (4 bytes), the head (JSON: the vocabulary, and
// per text its label, name, number of words, and where its terms begin and end), then the number of each word of each
// text (2 bytes each). Little endian. Word 0 stands for what a work fills in: a year, a name.

export interface LicenceTemplate {
  /** SPDX identifier. */
  readonly label: string;
  readonly name: string;
  /** Numbers of its words. */
  readonly words: Uint16Array;
  /** The words between which nothing may be missing; around them stand a preamble and an appendix. */
  readonly termsBegin: number;
  readonly termsEnd: number;
}

export interface LicenceTemplates {
  readonly templates: readonly LicenceTemplate[];
  /** The number of every word that some text has. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly vocabulary: readonly string[];
}

type Head = {
  readonly vocabulary: string;
  readonly texts: readonly (readonly [
    label: string,
    name: string,
    words: number,
    begin: number,
    end: number,
  ])[];
};

/** The data is loaded here, so that a start that needs no licence does not pay for it. */
export async function unpackTemplates(): Promise<LicenceTemplates> {
  const { LICENCE_DATA } = await import('./licence-data.ts');
  const packed = Uint8Array.from(atob(LICENCE_DATA), (character) => character.charCodeAt(0));
  const bytes = new DataView(await inflate(packed));
  const headLength = bytes.getUint32(0, true);
  const head: Head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes.buffer, 4, headLength)));
  const vocabulary = head.vocabulary.split(' ');
  let at = 4 + headLength;
  const templates = head.texts.map(([label, name, length, termsBegin, termsEnd]) => {
    const words = new Uint16Array(length);
    for (let i = 0; i < length; i += 1, at += 2) words[i] = bytes.getUint16(at, true);
    return { label, name, words, termsBegin, termsEnd };
  });
  return { templates, vocabulary, numbers: new Map(vocabulary.map((word, number) => [word, number])) };
}

/** Reads the stream itself: a Response would do it too, and in Node load all of its HTTP client. */
async function inflate(packed: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  return new Blob(parts).arrayBuffer();
}
