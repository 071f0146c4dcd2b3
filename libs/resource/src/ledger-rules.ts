// Contributions of the records of a resource to accounts, as data in its definition.

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
}
