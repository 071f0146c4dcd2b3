/** How `rpc/search` and the operator `sim` find records. */
export interface Search<Name extends string = string> {
  /** The column with the name of a found record. */
  readonly title: Name;
  /** The columns with the searched texts. Each has its own index, unless the resource is confidential: see ADR 0062. */
  readonly in: readonly Name[];
}

interface Searched {
  readonly search?: Search;
  readonly confidential?: true;
}

/** The searched columns that have an index. A confidential resource has none. */
export const indexedForSearch = ({ search, confidential }: Searched): readonly string[] =>
  confidential === true ? [] : (search?.in ?? []);
