// The journal of the callers: events and rows that must exist at the end, each once, and wrong answers.

/** An event that an acknowledged write has caused: `<schema> <record> <type>`. */
export type Fact = `${string} ${string} ${string}`;

/** The columns of a record after its last acknowledged write; null once it is deleted. */
export type Row = Readonly<Record<string, string | number>> | null;

/** An event and a row that an acknowledged write leaves behind. */
export interface Effect {
  readonly schema: string;
  readonly table: string;
  readonly id: string;
  readonly type: string;
  readonly row: Row;
}

export function createJournal() {
  /** Events that must be in the logs, and how often. */
  const facts = new Map<Fact, number>();
  /** Rows by `<schema>.<table>` and id. */
  const rows = new Map<string, Map<string, Row>>();
  const wrong: string[] = [];
  /** Attempts by status, or as `lost` with their connection, or as `unanswered` after 15 s. */
  const attempts: Record<string, number> = {};
  let [acknowledged, refused, longest] = [0, 0, 0];
  const keep = ({ schema, table, id, type, row }: Effect): void => {
    const fact: Fact = `${schema} ${id} ${type}`;
    facts.set(fact, (facts.get(fact) ?? 0) + 1);
    const place = `${schema}.${table}`;
    const known = rows.get(place) ?? new Map<string, Row>();
    rows.set(place, known.set(id, row === null ? null : { ...known.get(id), ...row }));
  };
  return {
    /** Notes the effects of an acknowledged write. */
    acknowledge: (effects: readonly Effect[]): void => {
      acknowledged += 1;
      effects.forEach(keep);
    },
    refuse: () => void (refused += 1),
    /** Notes one attempt of a request. */
    attempt: (outcome: string) => void (attempts[outcome] = (attempts[outcome] ?? 0) + 1),
    /** Notes for how many milliseconds a caller repeated a request until it got a final answer. */
    repeat: (milliseconds: number) => void (longest = Math.max(longest, milliseconds)),
    /** The longest time for which a caller repeated a request since the last call, in milliseconds. */
    longestRepeat: (): number => {
      const found = longest;
      longest = 0;
      return found;
    },
    /** Notes an answer that must not have been given. */
    accuse: (what: string) => void wrong.push(`${new Date().toISOString()} ${what}`),
    facts,
    rows,
    wrong,
    counts: () => ({ acknowledged, refused, attempts: { ...attempts } }),
  };
}

export type Journal = ReturnType<typeof createJournal>;
export type Counts = ReturnType<Journal['counts']>;
