// Single characters of texts that may be as long as a body. `replaceAll` and `split` take several hundred milliseconds for a
// million of them; these functions take a few.

/** A shorter text is copied faster by `replaceAll`. */
const LONG = 4_096;

const BACKSLASH = 0x5c;

/** The text with `to` in place of every `from`. Both are ASCII characters. */
export function withCharacter(text: string, from: string, to: string): string {
  if (text.length < LONG) return text.replaceAll(from, to);
  const units = unitsOf(text);
  const [before, after] = [from.charCodeAt(0), to.charCodeAt(0)];
  for (let at = 0; at < units.length; at += 1) if (units[at] === before) units[at] = after;
  return textOf(units);
}

/** The text in which `\x` stands for x. It does not end with a single backslash. */
export function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  const units = unitsOf(text);
  let length = 0;
  for (let at = 0; at < units.length; at += 1) {
    if (units[at] === BACKSLASH) at += 1;
    units[length] = units[at] as number;
    length += 1;
  }
  return textOf(units.subarray(0, length));
}

const unitsOf = (text: string): Uint16Array => {
  const { buffer, byteOffset } = Buffer.from(text, 'utf16le');
  return new Uint16Array(buffer, byteOffset, text.length);
};

const textOf = ({ buffer, byteOffset, byteLength }: Uint16Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf16le');

const PERCENT = 0x25;
const DIGITS = Buffer.from('0123456789ABCDEF');
const UNRESERVED = Uint8Array.from({ length: 256 }, (_, code) =>
  /[\w.~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The text with everything percent-encoded that RFC 3986 does not call unreserved. */
export function percentEncoded(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text;
  const bytes = Buffer.from(text);
  const encoded = Buffer.allocUnsafe(bytes.length * 3);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (UNRESERVED[byte] === 1) {
      encoded[length] = byte;
      length += 1;
      continue;
    }
    encoded[length] = PERCENT;
    encoded[length + 1] = DIGITS[byte >> 4] as number;
    encoded[length + 2] = DIGITS[byte & 15] as number;
    length += 3;
  }
  return encoded.toString('latin1', 0, length);
}
