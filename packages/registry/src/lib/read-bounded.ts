// Reads the body of an answer as far as it may go.

/** null when there is more than `max` bytes, which is not read. `onChunk` is told whenever something came. */
export async function readBounded(
  response: Response,
  max: number,
  onChunk: () => void,
): Promise<Uint8Array | null> {
  if (response.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    onChunk();
    size += chunk.length;
    if (size > max) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
