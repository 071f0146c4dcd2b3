import { schemaOf } from '@practice/core';

/** resource of another service → the columns of it that this service needs; its id always */
export type Mirrored = Readonly<Record<string, readonly string[]>>;

/** SQL for the mirror of a service. */
export const mirrorOf = (service: string): string => `"${schemaOf(service)}".mirror`;
