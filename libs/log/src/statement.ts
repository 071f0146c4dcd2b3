/** SQL with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether a caller's request decides the text, so that the number of texts has no limit. */
  readonly isShaped?: boolean;
}

/** A statement without parameters. */
export const sql = (text: string): Statement => ({ text, values: [] });
