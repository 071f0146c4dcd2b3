/** Letters of a name at most. */
const MOST = 2;
const LETTER = /[\p{L}\p{N}]/u;

/** The initials of the first and the last word of a name, such as `A. L.`; of a name without letters, its first character. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s\p{Cc}]+/u).filter((word) => LETTER.test(word));
  const outer = words.length > MOST ? [words[0], words.at(-1)] : words;
  const letters = outer.map((word = '') => `${(LETTER.exec(word)?.[0] ?? '').toUpperCase()}.`);
  return letters.length > 0 ? letters.join(' ') : ([...name.trim()][0] ?? '');
}
