// Where the body of a file begins, in lines: what is noticed from there on stays with the body.

/** The line, from 1, on which the text stands that begins at an offset. */
export function bodyLine(text: string, bodyOffset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < bodyOffset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
