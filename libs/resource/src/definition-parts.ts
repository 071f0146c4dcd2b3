// Parts of a definition, as data: accounts, sums, numbers without gaps, instants and the search.

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

/** Sums over records, stored in the record that they refer to. They are in the definition of the summed records. */
export interface TotalRules<Name extends string = string> {
  /** The column with the id of the record that stores the sums. */
  readonly by: Name;
  /** Column of that record → the summed column of these records; with a minus, the values are subtracted. */
  readonly adds: Readonly<Record<string, Name | `-${Name}`>>;
  /**
   * The amount that these records take from a rest, which is the signed sum of the columns `from` of that record. If a new record omits
   * the amount, it takes the whole rest, or as much of it as the balances of the client have. A definition has only one of these amounts.
   */
  readonly takes?: { readonly column: Name; readonly from: readonly string[] };
  /** Column of that record → the column of these records whose distinct values it lists, in ascending order; null for no values. */
  readonly gathers?: Readonly<Record<string, Name>>;
}

/** Where the numbers without gaps of records come from. */
export interface NumberRules<Name extends string = string> {
  /** The column with the number; null until the record has one. */
  readonly column: Name;
  /** The resource with the counter: the single record of the practice, which exists from the start. */
  readonly by: { readonly name: string; readonly columns: Columns };
  /** The columns of the counter with the text before the number, and with the next number. */
  readonly prefix: string;
  readonly next: string;
}

/**
 * The instants of a span of wall time in the zone of the practice. They are stored with the zone in which they were computed. A read
 * computes them again if the practice has another zone now. All members except `zoneOf` are names of columns.
 */
export interface Instants {
  readonly day: string;
  readonly from: string;
  readonly to: string;
  readonly start: string;
  readonly end: string;
  /** The zone in which the stored instants were computed. Internal. */
  readonly zone: string;
  /** The resource of the same service, and its column, that have the zone of the practice. */
  readonly zoneOf: { readonly resource: string; readonly column: string };
}

/** How `rpc/search` and the operator `sim` find records. */
export interface Search<Name extends string = string> {
  /** The column with the name of a found record. */
  readonly title: Name;
  /** The columns with the searched texts. Each has its own index, unless the resource is confidential: see ADR 0062. */
  readonly in: readonly Name[];
}

interface Searched {
  readonly search?: Search;
  readonly confidential?: true;
}

/** The searched columns that have an index. A confidential resource has none. */
export const indexedForSearch = ({ search, confidential }: Searched): readonly string[] =>
  confidential === true ? [] : (search?.in ?? []);
