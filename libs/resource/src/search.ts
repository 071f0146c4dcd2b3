/** How `rpc/search` and the operator `sim` find records. */
export interface Search<Name extends string = string> {
  /** The column that names a found record. */
  readonly title: Name;
  /** The texts that are searched. Each has an index of its own, unless the resource is confidential: see ADR 0062. */
  readonly in: readonly Name[];
}

interface Searched {
  readonly search?: Search;
  readonly confidential?: true;
}

/** The searched columns that have an index: the texts of a confidential resource are in none. */
export const indexedForSearch = ({ search, confidential }: Searched): readonly string[] =>
  confidential === true ? [] : (search?.in ?? []);
