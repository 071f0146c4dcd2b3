import { SEALED } from '@practice/core';

/** The values to erase. */
export interface Erasing {
  readonly service: string;
  readonly therapistId: string;
  /** The id of a client, or `all` for every client of the practice and the values without a client. */
  readonly client: string;
}

/** SQL for whether the sealed values of an event are to be erased. `$2` is an array of clients, or of `all`. */
export const isErasedIn = (values: string): string =>
  `coalesce(${values} ? '${SEALED}' AND ARRAY['all', split_part(${values} ->> '${SEALED}', '.', 1)] && $2::text[], false)`;

/** SQL for whether an event `e` has values to erase. `$2` as of `isErasedIn`. */
export const isAffected = `(${isErasedIn('e.data')} OR ${isErasedIn('e.previous')})`;
