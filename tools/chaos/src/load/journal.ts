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

export interface Journal {
  /** Notes the effects of an acknowledged write. */
  readonly acknowledge: (effects: readonly Effect[]) => void;
  readonly refuse: () => void;
  /** Notes one attempt of a request. */
  readonly attempt: (outcome: string) => void;
  /** Notes for how many milliseconds a caller repeated a request until it got a final answer. */
  readonly repeat: (milliseconds: number) => void;
  /** The longest time for which a caller repeated a request since the last call, in milliseconds. */
  readonly longestRepeat: () => number;
  /** Notes an answer that must not have been given. */
  readonly accuse: (what: string) => void;
  /** Events that must be in the logs, and how often. */
  readonly facts: ReadonlyMap<Fact, number>;
  /** Rows by `<schema>.<table>` and id. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, Row>>;
  readonly wrong: readonly string[];
  readonly counts: () => Counts;
}

export interface Counts {
  readonly acknowledged: number;
  readonly refused: number;
  /** Attempts by status, or as `lost` with their connection, or as `unanswered` after 15 s. */
  readonly attempts: Readonly<Record<string, number>>;
}

export function createJournal(): Journal {
  const facts = new Map<Fact, number>();
  const rows = new Map<string, Map<string, Row>>();
  const wrong: string[] = [];
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
    acknowledge: (effects) => {
      acknowledged += 1;
      effects.forEach(keep);
    },
    refuse: () => void (refused += 1),
    attempt: (outcome) => void (attempts[outcome] = (attempts[outcome] ?? 0) + 1),
    repeat: (milliseconds) => void (longest = Math.max(longest, milliseconds)),
    longestRepeat: () => {
      const found = longest;
      longest = 0;
      return found;
    },
    accuse: (what) => void wrong.push(`${new Date().toISOString()} ${what}`),
    facts,
    rows,
    wrong,
    counts: () => ({ acknowledged, refused, attempts: { ...attempts } }),
  };
}
