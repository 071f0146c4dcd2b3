/** The injection token of the process's counters. */
export const COUNTERS = Symbol('counters');
