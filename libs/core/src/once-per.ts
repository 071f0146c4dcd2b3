/** A Map, or a WeakMap if keys may be garbage-collected. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * Makes a value once for each key, such as a service or a resource. An undefined value is made again on each call.
 * @param kept stores the values; a WeakMap stores each value only as long as its key exists
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
