/** SQL with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whether a caller's request decides the text, so that the number of texts has no limit. */
  readonly isShaped?: boolean;
}

/** A Map, or a WeakMap for keys that may not last. */
interface Texts<Key> {
  get(key: Key): string | undefined;
  set(key: Key, text: string): unknown;
}

/**
 * Makes a text once for each key, such as a service or a resource: to make a long one takes longer than the JSON of an event.
 * @param made keeps the texts
 */
export const textPer =
  <Key>(made: Texts<Key>, make: (key: Key) => string): ((key: Key) => string) =>
  (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const text = make(key);
    made.set(key, text);
    return text;
  };
