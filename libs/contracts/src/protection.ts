// The protection level of records and columns, from the marks of their definitions. docs/data-protection.md has the requirements.

import { isConfidential, type Column, type Resource } from '@practice/resource';

export type ProtectionLevel = 'clinical' | 'restricted' | 'practice';

/** The level of the records of a resource. */
export const levelOf = (resource: Resource): ProtectionLevel =>
  isConfidential(resource) ? 'clinical' : 'practice';

/** The level of one column, if it is higher than the level of the other columns of its resource. */
export function levelOfColumn(resource: Resource, { confidential }: Column): ProtectionLevel {
  const level = levelOf(resource);
  return confidential === true && level === 'practice' ? 'restricted' : level;
}
