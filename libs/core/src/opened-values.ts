// Personal values in the log are sealed. Readers see them opened: the plain values are in a table of their own, which an erasure
// empties, and a query over the log joins it. In the stored values each sealed column is null, so a value that was erased reads
// as null.

import { schemaOf } from './identity.js';

/** The member of an event's stored values that holds their personal values, sealed. No column can have this name. */
export const SEALED = '$sealed';

/** The stored values of an event: what it set, and what it replaced. */
export type StoredValues = 'data' | 'previous';

/** SQL that joins the personal values `p` of events `e`. */
export const joinPersonal = (service: string): string =>
  `LEFT JOIN "${schemaOf(service)}".personal_values AS p ON p.therapist_id = e.therapist_id AND p.position = e.position`;

/** SQL for values of an event `e`, with its personal values `p`. They still have the member `SEALED`. */
export const withPersonal = (values: StoredValues): string => `(e.${values} || coalesce(p.${values}, '{}'))`;

/** SQL for values of an event `e` as readers see them. */
export const openedValues = (values: StoredValues): string => `(${withPersonal(values)} - '${SEALED}')`;

/** SQL for whether personal values of an event `e` were erased. */
export const isErased = `(${(['data', 'previous'] as const)
  .map((values) => `coalesce(e.${values} ? '${SEALED}' AND p.${values} IS NULL, false)`)
  .join(' OR ')})`;
