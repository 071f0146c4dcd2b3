// Sums that a record keeps of the records that refer to it, as data in their definition.

export interface TotalRules<Name extends string = string> {
  /** The column with the id of the record that keeps the sums. */
  readonly by: Name;
  /** Its column → the column of these records that it is the sum of; with a minus, the sum is taken away from it. */
  readonly adds: Readonly<Record<string, Name | `-${Name}`>>;
  /** Its column → the column of these records whose different values it lists, in ascending order; null for none. */
  readonly gathers?: Readonly<Record<string, Name>>;
}
