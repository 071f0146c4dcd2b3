// The rows of a JSON array as NDJSON. The bytes of each row stay as Postgres wrote them.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** The rows of an array of objects. @param body the text of the array, without line breaks between tokens */
export function rowsOf(body: Buffer): Buffer[] {
  const rows: Buffer[] = [];
  let depth = 0;
  let begin = 1;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === QUOTE) at = endOfString(body, at);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth === 1 && byte === COMMA) {
      rows.push(body.subarray(begin, at));
      begin = at + 1;
    }
  }
  const last = body.subarray(begin, body.lastIndexOf(']'));
  return last.length > 0 ? [...rows, last] : rows;
}

/** The place of the closing quote. */
function endOfString(body: Buffer, opening: number): number {
  let at = opening + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

const BREAK = Buffer.from('\n');

/** One line for each row, each with its line break. */
export const linesOf = (rows: readonly Buffer[]): Buffer =>
  Buffer.concat(rows.flatMap((row) => [row, BREAK]));

/** The lines of a CSV text after its header, with a line break at the end. */
export const withoutHeader = (csv: Buffer): Buffer => csv.subarray(csv.indexOf(BREAK) + 1);
