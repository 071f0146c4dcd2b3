// Sums that a record keeps of the records that refer to it, as data in their definition.

export interface TotalRules<Name extends string = string> {
  /** The column with the id of the record that keeps the sums. */
  readonly by: Name;
  /** Its column → the column of these records that it is the sum of; with a minus, the sum is taken away from it. */
  readonly adds: Readonly<Record<string, Name | `-${Name}`>>;
  /**
   * The amount that these records take from what is left: the sum of these columns of the record. One that a new record leaves out is
   * all of it. A definition has one amount of this kind.
   */
  readonly takes?: { readonly column: Name; readonly from: readonly string[] };
  /** Its column → the column of these records whose different values it lists, in ascending order; null for none. */
  readonly gathers?: Readonly<Record<string, Name>>;
}
