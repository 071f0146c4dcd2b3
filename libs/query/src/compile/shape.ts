/** The SQL that selects rows and makes a body of them. */
export interface Shape {
  /** The select list of the inner query, whose rows are called `r`. */
  readonly list: string;
  /** The body, as an aggregate over the rows `r`. */
  readonly body: string;
  /** The rest of FROM after the rows `r`: the members of runs, one row for each row. */
  readonly beside?: string;
}
