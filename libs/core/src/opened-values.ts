// Personal values in the log are sealed. For readers, queries over the log join a table with the plain values, and an erasure deletes
// the rows of this table. In the stored values of an event each sealed column is null, so an erased value is read as null.

import { schemaOf } from './identity.js';

/** The member of an event's stored values that has the sealed personal values. No column can have this name. */
export const SEALED = '$sealed';

/** The stored values of an event: the values that it set (`data`), or the values that it replaced (`previous`). */
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
