import { column } from '@practice/resource';

/** The arguments that name a note, and the version that the caller has seen. */
export const namedNote = {
  session_id: column.uuid({ required: true, description: 'The note.' }),
  version: column.integer({
    min: 1,
    description:
      'The version of the note that the caller has seen (its `ETag`): 412 `PM006` for another one.',
  }),
} as const;
