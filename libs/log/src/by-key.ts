/**
 * Options of a connection whose statements find every row by its key. While a table is small, or was small when Postgres planned the
 * statement, Postgres prefers to read the whole table and build a hash table. With the log of a year, that would be most of the work.
 */
export const BY_KEY = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off';
