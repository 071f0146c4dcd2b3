/** The sum of named amounts, in cents. An amount with a minus before its name is subtracted. */
export const signedSum = (names: readonly string[], cents: (name: string) => bigint): bigint =>
  names.reduce((sum, name) => (name.startsWith('-') ? sum - cents(name.slice(1)) : sum + cents(name)), 0n);
