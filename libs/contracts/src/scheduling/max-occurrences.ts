/** The maximum number of occurrences of a series. */
export const MAX_OCCURRENCES = 366;
