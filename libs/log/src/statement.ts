/** SQL with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether a caller's request decides the text, so that the number of texts has no limit. */
  readonly isShaped?: boolean;
}

/** A key within a practice: the id of a record, or the value of a column. */
export interface PracticeKey {
  readonly therapistId: string;
  readonly key: string;
}

/** The members of rows as lists, for the parameters of `unnest`. */
export const listsOf = <Row, Name extends keyof Row>(
  rows: readonly Row[],
  ...names: readonly Name[]
): Row[Name][][] => names.map((name) => rows.map((row) => row[name]));

/** A statement without parameters. */
export const sql = (text: string): Statement => ({ text, values: [] });
