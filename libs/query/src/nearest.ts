// The most likely correct name for a mistyped name, for the hint of an error. A poor suggestion is worse than none.

const LONGEST = 64;

/**
 * The nearest candidate, by Postgres' rule for columns: at most 3 letters differ, and no more than half of them.
 * @returns null if no candidate is near
 */
export function nearest(name: string, candidates: Iterable<string>): string | null {
  if (name.length > LONGEST) return null;
  const most = Math.min(MOST_DIFFERENT, Math.floor(name.length / 2));
  return closest(name, candidates, (distance) => (distance <= most ? distance : null));
}

const MOST_DIFFERENT = 3;

/** The most similar table, by PostgREST's rule: at least three quarters of the longer name agree. */
export const nearestTable = (name: string, tables: Iterable<string>): string | null =>
  similar(name, tables, 0.75);

/** The same for the tables related to one resource. They are few, so it is enough if half of the longer name agrees. */
export const nearestRelated = (name: string, tables: Iterable<string>): string | null =>
  similar(name, tables, 0.5);

function similar(name: string, candidates: Iterable<string>, atLeast: number): string | null {
  if (name.length > LONGEST) return null;
  return closest(name, candidates, (distance, longer) => {
    const share = 1 - distance / longer;
    return share >= atLeast ? 1 - share : null;
  });
}

/** The candidate with the lowest penalty. @param penaltyOf returns null to exclude a candidate */
function closest(
  name: string,
  candidates: Iterable<string>,
  penaltyOf: (distance: number, longer: number) => number | null,
): string | null {
  const written = name.toLowerCase();
  let best: string | null = null;
  let least = Infinity;
  for (const candidate of candidates) {
    const distance = editDistance(written, candidate);
    const penalty = penaltyOf(distance, Math.max(written.length, candidate.length));
    if (penalty !== null && penalty < least) [best, least] = [candidate, penalty];
  }
  return best;
}

/** The number of insertions, deletions, replacements and transpositions (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [before, previous]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const areSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = areSwapped && i > 1 && j > 1 ? at(before, j - 2) + 1 : Infinity;
      row.push(Math.min(replaced, at(previous, j) + 1, at(row, j - 1) + 1, swapped));
    }
    [before, previous] = [previous, row];
  }
  return at(previous, b.length);
}

const at = (row: readonly number[] | undefined, index: number): number => row?.[index] ?? 0;
