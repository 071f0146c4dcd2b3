// Contributions of the records of a resource to accounts, as data in its definition.

import type { Problem } from '@practice/core';
import type { Columns } from './column.js';

/** The contribution of a record to one account: the amount in a column as a debit or a credit. */
export type Contribution<Name extends string = string> = {
  readonly account: string;
  /** Only records with these values contribute. */
  readonly where?: { readonly [Column in Name]?: readonly string[] };
} & ({ readonly debit: Name } | { readonly credit: Name });

export interface LedgerRules<Name extends string = string> {
  /** The plain table of the service for its entries. */
  readonly into: string;
  /** The column with the day of the booking. If it is read-only, an event that changes an earlier booking is booked on its own day. */
  readonly date?: Name;
  /** The column with the client. */
  readonly client?: Name;
  readonly contributions: readonly Contribution<Name>[];
  /** The balances of the client, which another resource stores. */
  readonly balances?: AccountBalances;
}

export interface AccountBalances {
  /** The resource with a record for each client who has a balance, with the id of the client. Callers only read it. */
  readonly in: { readonly name: string; readonly columns: Columns };
  /** Column of this resource → the accounts that it is the sum of. Debits are positive; an account with a minus is subtracted. */
  readonly sums: Readonly<Record<string, readonly string[]>>;
  /** Column of this resource → the error if its balance would become negative. `{}` in the details is replaced by the balance. */
  readonly least?: Readonly<Record<string, Problem>>;
}
