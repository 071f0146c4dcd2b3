// The types of the practice API's resources, for `createClient<Database>(url, key)`.

import type { Database } from './database.js';

export type { Database, Json } from './database.js';
export { answerHeaders, type AnswerHeaders } from './answer-headers.js';
export { pagesOf } from './pages-of.js';
export { queryFetch } from './query-fetch.js';

type Public = Database['public'];

/** A record as reads return it: `Tables<'appointments'>`. Without `version`, `_rank` and `_snippet`, which a read must name. */
export type Tables<Name extends keyof Public['Tables']> = Omit<
  Public['Tables'][Name]['Row'],
  ComputedFieldsOf<Public['Tables'][Name]>
>;

type ComputedFieldsOf<Table> = Table extends { ComputedFields: infer Fields extends string } ? Fields : never;

/** The body that creates a record. */
export type TablesInsert<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Insert'];

/** The body that changes a record. A row that was read can be used as the body. */
export type TablesUpdate<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Update'];

/** The values of a column: `Enums<'appointments_status'>`. */
export type Enums<Name extends keyof Public['Enums']> = Public['Enums'][Name];
