/** The limits of one request. A request beyond a limit is rejected before it causes any cost. */
export const limits = {
  /** Rows that one read returns. */
  readRows: 1_000,
  /** Parameters in one URL, counted before they are decoded: a QUERY has room for many. */
  parameters: 1_000,
  /** Filters in one URL, including filters inside logic trees. */
  filters: 64,
  /** Elements of one `in` list. A URL has room for a few hundred elements, the body of a QUERY for all of them. */
  listElements: 5_000,
  /**
   * One regular expression: characters, groups, quantifiers, the product of its repetitions such as `{2,3}`, and how deep
   * quantified groups are nested.
   */
  regex: { length: 256, groups: 16, quantifiers: 24, repetitions: 10_000, nesting: 2 },
  /** Characters in the words that `sim` and `rpc/search` look for. */
  searchedWords: 200,
  /** Nesting of logic operators. */
  treeDepth: 8,
  /** Nesting of embedded relations. */
  embedDepth: 4,
  /** Items in one `select`, at all levels together. */
  selectItems: 256,
  /** Members of one returned object. One item such as `*` becomes many members. */
  members: 512,
  /** Steps into JSON such as `->a` in one URL. Each step is a value of the statement. */
  pathSteps: 512,
  /** Values of one statement. A message of Postgres' protocol has room for no more. */
  values: 65_535,
  /** Terms of one `order`. */
  orderTerms: 32,
  /** Relations of one request that other services return. */
  subplans: 32,
  /** Keys of related records, and rows of one relation, that travel between services for one request. */
  travellingKeys: 50_000,
  /** Keys in one message to a service. */
  keysAtOnce: 10_000,
  /** Rows that one request may write. */
  writtenRows: 1_000,
  /** Keys that are kept of a row. No resource or function has as many, so a row with more is refused for one that is kept. */
  rowKeys: 100,
  /** Rows that one request may write if each row also writes other rows, as a series does. */
  rowsWithDependents: 10,
  /** Operations of one batch. */
  batchOperations: 100,
  /** Nesting of arrays and objects in a body. */
  bodyDepth: 64,
} as const;
