/** One statement: SQL whose text depends on the shape of the request alone, and the values for its parameters. */
export interface Statement {
  readonly text: string;
  /** For `$1`, `$2`, …, as text: Postgres reads each as the type of what it is compared with. */
  readonly values: readonly string[];
}

/** Where SQL is being written: the table it speaks of, and the statement's values so far. */
export interface Scope {
  /** The table's name in the statement. */
  readonly table: string;
  readonly values: string[];
}

export const rootScope = (): Scope => ({ table: 't', values: [] });

/** Adds a value; returns the parameter that stands for it. */
export function bind({ values }: Scope, value: string): string {
  values.push(value);
  return `$${values.length}`;
}

/** An identifier, safe whatever it holds. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A Postgres array literal of texts: one parameter, however many elements. */
export const arrayLiteral = (elements: readonly string[]): string =>
  `{${elements.map((element) => `"${element.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`).join(',')}}`;
