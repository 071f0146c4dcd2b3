/** What one request may ask for at most; more is refused before it costs anything. */
export const limits = {
  /** Filters in one URL, those inside logic trees included. */
  filters: 64,
  /** Elements of one `in` list. */
  listElements: 1_000,
  /** Logic operators inside each other. */
  treeDepth: 8,
  /** Embedded relations inside each other. */
  embedDepth: 4,
  /** Items in one `select`, on all levels together. */
  selectItems: 256,
  /** Members of one answered object: an item such as `*` makes many. */
  members: 512,
  /** Terms of one `order`. */
  orderTerms: 32,
  /** Relations of one request that other services answer. */
  parts: 32,
  /** Keys of related records, and rows of one relation, that may travel between services for one request. */
  travellingKeys: 50_000,
  /** Keys that are asked for in one request to a service. */
  keysAtOnce: 10_000,
  /** Rows that one request may write. */
  writtenRows: 1_000,
  /** Arrays and objects inside each other in a body. */
  bodyDepth: 64,
} as const;
