// Records from another system: their id in that system, by which an import finds them again, and values that only that system uses.

import { column } from './column.js';
import type { Unique } from './resource.js';

/**
 * The columns `external_id` and `metadata`, and the unique key of the former, which an upsert names.
 * @param resource the name of the resource
 * @param personal the column with the id of the client, as in `ColumnRules`, if the values are about a client
 */
export function external(resource: string, personal?: { readonly of: string }) {
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
    unique: {
      name: `${resource}_external_id_key`,
      columns: ['external_id'],
      isDecided: true,
    } satisfies Unique,
  };
}
