/** Rows that one read answers with at most. */
export const MAX_ROWS = 1000;
