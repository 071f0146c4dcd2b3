import { SEALED } from '@practice/core';

/** The values to erase. */
export interface Erasing {
  readonly service: string;
  readonly therapistId: string;
  /** The id of a client. `all`: every client of the practice, and the values without a client. */
  readonly client: string;
}

/** SQL for whether sealed values of an event are the ones to erase. `$2` is the client. */
export const isErasedIn = (values: string, { client }: Pick<Erasing, 'client'>): string =>
  client === 'all'
    ? `coalesce(${values} ? '${SEALED}' AND $2::text IS NOT NULL, false)`
    : `coalesce(split_part(${values} ->> '${SEALED}', '.', 1) = $2::text, false)`;

/** SQL for whether an event `e` has values to erase. */
export const isAffected = (erasing: Erasing): string =>
  `(${isErasedIn('e.data', erasing)} OR ${isErasedIn('e.previous', erasing)})`;
