// Numbered places for items that are added and removed thousands of times a second. With a Map or Set, V8 keeps outgrown hash
// tables that point at their successors. Once one of them is in the old generation, the items of its successors survive young
// collections and cost twice as much to collect (measured: half of all requests). An array has no hash tables.
// The row "one day, 8 rows" of the benchmark measures this.

export function createSlots<Item extends object>() {
  const places: (Item | undefined)[] = [];
  const free: number[] = [];
  return {
    /** Stores an item in the most recently freed place. @returns the number of the place */
    put(item: Item): number {
      const place = free.pop() ?? places.length;
      places[place] = item;
      return place;
    },
    get: (place: number): Item | undefined => places[place],
    free(place: number): void {
      if (places[place] === undefined) return;
      places[place] = undefined;
      free.push(place);
    },
    /** How many places are taken. */
    size: (): number => places.length - free.length,
    forEach: (visit: (item: Item) => void): void =>
      places.forEach((item) => item !== undefined && visit(item)),
  };
}
