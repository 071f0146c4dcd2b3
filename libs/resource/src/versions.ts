// The versions of records that later ones have replaced, in a table beside each read table. Past states are read from both.

import { isPublic } from './catalog.js';
import type { Resource } from './resource.js';

/** Whether the replaced versions of its records are kept: callers can read past states of what they can read. */
export const keepsVersions = (resource: Pick<Resource, 'isPublic'>): boolean => isPublic(resource);

/** The name of the table of replaced versions. */
export const versionsName = (resource: string): string => `${resource}_versions`;

/** The column with the instant from which on another version, or none, was the record. */
export const REPLACED_AT = 'replaced_at';
