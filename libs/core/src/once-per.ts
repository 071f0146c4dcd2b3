/** A Map, or a WeakMap for keys that may not last. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/**
 * Makes a value once for each key, such as a service or a resource. A value that is undefined is made again.
 * @param kept where the values stay: for as long as it is used, or, in a WeakMap, as their keys
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
