/** How rows are selected and what becomes of them. */
export interface Shape {
  /** The select list of the inner query, whose rows are called `r`. */
  readonly list: string;
  /** The body, as an aggregate over the rows `r`. */
  readonly body: string;
}
