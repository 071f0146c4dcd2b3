// The practice API's records as types: `createClient<Database>(url, key)`.

import type { Database } from './database.js';

export type { Database, Json } from './database.js';

type Public = Database['public'];

/** A record as it is read: `Tables<'appointments'>`. */
export type Tables<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Row'];

/** What creates a record. */
export type TablesInsert<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Insert'];

/** What changes one. */
export type TablesUpdate<Name extends keyof Public['Tables']> = Public['Tables'][Name]['Update'];

/** The words that a column takes: `Enums<'appointments_status'>`. */
export type Enums<Name extends keyof Public['Enums']> = Public['Enums'][Name];
