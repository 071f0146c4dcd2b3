/** A record as an answer has it. */
export type Row = Readonly<Record<string, unknown>>;
