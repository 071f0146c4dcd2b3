// Numbers without gaps, as data in the definition of the records that have them.

import type { Columns } from './column.js';

/** Where the numbers of records come from. */
export interface NumberRules<Name extends string = string> {
  /** The column with the number; null until the record has one. */
  readonly column: Name;
  /** The resource with the counter: the single record of the practice, which exists from the start. */
  readonly by: { readonly name: string; readonly columns: Columns };
  /** The columns of the counter with the text before the number, and with the next number. */
  readonly prefix: string;
  readonly next: string;
}
