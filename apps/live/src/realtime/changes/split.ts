/** A quoted value at the start of a value, a parenthesis, a comma, or any other character. */
const TOKEN = /(?<=[.(,])"(?:[^"\\]|\\.)*"|[^]/g;

/** The parts of a filter: `id=gt.0,status=in.(a,b),name=eq."a,b"` has three. Commas in quotes or parentheses do not separate. */
export function splitConditions(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === ',' && depth <= 0) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
  }
  return parts;
}

/** The text within the quotes of a value that is quoted as a whole; any other text unchanged. */
export function unquoted(text: string): string {
  const match = /^"((?:[^"\\]|\\.)*)"$/s.exec(text);
  return match === null ? text : (match[1] ?? '').replace(/\\(.)/gs, '$1');
}
