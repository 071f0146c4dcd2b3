/** A pattern that finds a name by parts of its words, in order: `ad lo` finds `Ada Lovelace`. */
export const patternOf = (text: string): string =>
  `%${text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[%_*\\]/g, ''))
    .filter(Boolean)
    .join('%')}%`;
