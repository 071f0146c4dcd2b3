// Records from another system: their id in that system, by which an import finds them again, and values that only that system uses.

import { column, type Column } from './column.js';
import type { JsonObject } from './json-kind.js';
import type { Unique } from './resource.js';

/** The columns of a resource whose records may come from another system, and the key that an upsert names. */
export interface External {
  readonly columns: {
    readonly external_id: Column<string, true>;
    readonly metadata: Column<JsonObject, true>;
  };
  readonly unique: Unique;
}

/**
 * `external_id` and `metadata`, with the unique key of the former.
 * @param resource the name of the resource
 * @param personal the column with the id of the client, as in `ColumnRules`, if the values are about a client
 */
export function external(resource: string, personal?: { readonly of: string }): External {
  const about = personal === undefined ? {} : { personal };
  return {
    columns: {
      external_id: column.text({
        ...about,
        notBlank: true,
        maxLength: 320,
        description:
          'The id of the record in another system, unique in the practice. `on_conflict=external_id` finds it again.',
      }),
      metadata: column.json({
        ...about,
        maxBytes: 16_384,
        description: 'Values of another system: an object of at most 16 KiB of JSON.',
      }),
    },
    unique: { name: `${resource}_external_id_key`, columns: ['external_id'], isDecided: true },
  };
}
