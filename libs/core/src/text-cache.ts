import { LRUCache } from 'lru-cache';

/** The values of longer texts are not cached: long texts are rare, and a few of them would displace all other values. */
const MAX_TEXT_LENGTH = 2_000;
const MAX_BYTES = 16 * 1024 * 1024;
/** An estimate for the text of a query. Its value is a tree of objects that is many times larger than the text. */
const BYTES_PER_CHARACTER = 64;
const BYTES_PER_ENTRY = 4_096;

/**
 * A cache of values that are derived from texts, such as parsed queries. It keeps the most recently used values, up to about 16 MiB.
 * A value must depend only on its text, because all practices share the cache.
 */
export class TextCache<Value extends object> {
  private readonly values = new LRUCache<string, Value>({
    maxSize: MAX_BYTES,
    sizeCalculation: (_value, text) => BYTES_PER_ENTRY + BYTES_PER_CHARACTER * text.length,
  });

  /**
   * The value of a text.
   * @param derive makes the value if it is not cached; nothing is cached if it throws
   */
  get(text: string, derive: (text: string) => Value): Value {
    const known = this.values.get(text);
    if (known !== undefined) return known;
    const value = derive(text);
    if (text.length <= MAX_TEXT_LENGTH) this.values.set(text, value);
    return value;
  }
}
