// Sums over records, stored in the record that they refer to, as data in the definition of the summed records.

export interface TotalRules<Name extends string = string> {
  /** The column with the id of the record that stores the sums. */
  readonly by: Name;
  /** Column of that record → the summed column of these records; with a minus, the values are subtracted. */
  readonly adds: Readonly<Record<string, Name | `-${Name}`>>;
  /**
   * The amount that these records take from a rest, which is the signed sum of the columns `from` of that record. If a new record omits
   * the amount, it takes the whole rest. A definition has only one of these amounts.
   */
  readonly takes?: { readonly column: Name; readonly from: readonly string[] };
  /** Column of that record → the column of these records whose distinct values it lists, in ascending order; null for no values. */
  readonly gathers?: Readonly<Record<string, Name>>;
}
