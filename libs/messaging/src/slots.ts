// Numbered places for what comes and goes thousands of times a second. A Map or Set would do, but V8 leaves the tables that
// they outgrow pointing at their successors: once one of them is old, all that its successors held outlives its time
// and has to be collected at twice the cost (half of all requests, as measured). An array leaves nothing behind.

export interface Slots<Item> {
  /** Puts an item into a free place, that which was freed last first. @returns the place's number */
  put(item: Item): number;
  get(place: number): Item | undefined;
  free(place: number): void;
  /** How many places are taken. */
  size(): number;
  forEach(visit: (item: Item) => void): void;
}

export function createSlots<Item extends object>(): Slots<Item> {
  const places: (Item | undefined)[] = [];
  const free: number[] = [];
  return {
    put(item) {
      const place = free.pop() ?? places.length;
      places[place] = item;
      return place;
    },
    get: (place) => places[place],
    free(place) {
      if (places[place] === undefined) return;
      places[place] = undefined;
      free.push(place);
    },
    size: () => places.length - free.length,
    forEach: (visit) => places.forEach((item) => item !== undefined && visit(item)),
  };
}
