/** The sum of named amounts; one with a minus before its name is taken away. */
export const signedSum = (names: readonly string[], cents: (name: string) => bigint): bigint =>
  names.reduce((sum, name) => (name.startsWith('-') ? sum - cents(name.slice(1)) : sum + cents(name)), 0n);
