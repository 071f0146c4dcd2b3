/** A Map, or a WeakMap for keys that may not last. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * Makes a value once for each key, such as a service or a resource: to make a long text takes longer than the JSON of an event.
 * @param kept keeps the values
 */
export const oncePer =
  <Key, Value>(kept: Kept<Key, Value>, make: (key: Key) => Value): ((key: Key) => Value) =>
  (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    kept.set(key, value);
    return value;
  };
