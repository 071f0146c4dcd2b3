/** PostgREST's bar for a hint: a name less like the one given would only mislead. */
const ENOUGH = 0.75;
const LONGEST = 64;

/** The candidate most like a name, where one is at least three quarters like it. */
export function similar(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  let best: string | undefined;
  let most = ENOUGH;
  for (const candidate of candidates) {
    const likeness = likenessOf(name.toLowerCase(), candidate);
    if (likeness >= most) [best, most] = [candidate, likeness];
  }
  return best;
}

/** 1 for the same, 0 for nothing in common: the shared pairs of neighbouring letters (Dice). */
function likenessOf(a: string, b: string): number {
  const left = pairsOf(a);
  const right = pairsOf(b);
  const total = left.length + right.length;
  const shared = left.filter((pair) => {
    const index = right.indexOf(pair);
    if (index === -1) return false;
    right.splice(index, 1);
    return true;
  });
  return (2 * shared.length) / total;
}

const pairsOf = (word: string): string[] => {
  const padded = `^${word}$`;
  return Array.from({ length: padded.length - 1 }, (_, index) => padded.slice(index, index + 2));
};
