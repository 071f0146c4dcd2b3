// Replaced versions of records are in a table beside each read table. Past states are read from both tables.

import { isPublic } from './catalog.js';
import type { Resource } from './resource.js';

/** Whether the replaced versions of the records are kept, so that callers can read past states of all records that they can read. */
export const keepsVersions = (resource: Pick<Resource, 'isPublic'>): boolean => isPublic(resource);

/** The name of the table of replaced versions. */
export const versionsName = (resource: string): string => `${resource}_versions`;

/** The column with the instant at which the version was replaced by another version, or deleted. */
export const REPLACED_AT = 'replaced_at';
