// Contributions of the records of a resource to accounts, as data in its definition.

import type { Problem } from '@practice/core';
import type { Columns } from './column.js';

/** The contribution of a record to one account: the amount in a column, as a debit or as a credit. */
export type Contribution<Name extends string = string> = {
  readonly account: string;
  /** Only records with these values contribute. */
  readonly where?: { readonly [Column in Name]?: readonly string[] };
} & ({ readonly debit: Name } | { readonly credit: Name });

export interface LedgerRules<Name extends string = string> {
  /** The plain table of the service for its entries. */
  readonly into: string;
  /** The column with the day of the booking. An event that changes what was booked before belongs to its own day. */
  readonly date?: Name;
  /** The column with the client. */
  readonly client?: Name;
  readonly contributions: readonly Contribution<Name>[];
  /** The balances of the client that a record keeps. */
  readonly balances?: AccountBalances;
}

export interface AccountBalances {
  /** The resource with a record for each client who has a balance, with the id of the client. Callers only read it. */
  readonly in: { readonly name: string; readonly columns: Columns };
  /** Its column → the accounts that it is the sum of, debits positive; one with a minus is taken away. */
  readonly sums: Readonly<Record<string, readonly string[]>>;
  /** Its column → the error for taking more than there is. `{}` in the details stands for what there is. */
  readonly least?: Readonly<Record<string, Problem>>;
}
