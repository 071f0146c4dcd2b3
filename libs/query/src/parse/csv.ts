/**
 * The records of a CSV text (RFC 4180), the header line first. A quoted field may contain commas, line breaks and doubled quotes.
 * @param most no records after these are read
 * @returns null if a quoted field does not end
 */
export function csvRecords(text: string, most = Infinity): string[][] | null {
  const records: string[][] = [];
  let fields: string[] = [];
  let at = 0;
  while (at < text.length && records.length < most) {
    const field = fieldAt(text, at);
    if (field === null) return null;
    fields.push(field.value);
    at = field.end;
    if (text[at] === ',') {
      at += 1;
      if (at < text.length) continue;
      fields.push('');
    } else {
      at += text.startsWith('\r\n', at) ? 2 : 1;
    }
    records.push(fields);
    fields = [];
  }
  return records;
}

interface CsvField {
  readonly value: string;
  /** The index of the comma, the line break or the end of the text after it. */
  readonly end: number;
}

const BREAK = /[,\r\n]|$/g;

function fieldAt(text: string, at: number): CsvField | null {
  if (text[at] !== '"') {
    BREAK.lastIndex = at;
    const end = BREAK.exec(text)?.index ?? text.length;
    return { value: text.slice(at, end), end };
  }
  let end = text.indexOf('"', at + 1);
  while (text[end + 1] === '"' && end >= 0) end = text.indexOf('"', end + 2);
  if (end < 0 || ![undefined, ',', '\r', '\n'].includes(text[end + 1])) return null;
  return { value: text.slice(at + 1, end).replaceAll('""', '"'), end: end + 1 };
}
