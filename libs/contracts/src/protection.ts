// The protection level of records, from the marks of their definitions. docs/data-protection.md has the requirements.

import { isConfidential, type Resource } from '@practice/resource';

export type ProtectionLevel = 'clinical' | 'practice';

/**
 * The level of the records of a resource. In one of the level `practice`, columns that are not in events are _restricted_, which is
 * higher.
 */
export const levelOf = (resource: Resource): ProtectionLevel =>
  isConfidential(resource) ? 'clinical' : 'practice';
