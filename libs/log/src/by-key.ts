/**
 * Options of a connection whose statements find every row by its key. While a table is small, or was when Postgres planned the
 * statement, Postgres would rather read all of it and build a hash table; with the log of a year that is most of the work.
 */
export const BY_KEY = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
