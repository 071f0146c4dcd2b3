import { dependent, type DependentCommand } from './decider.js';
import type { Resource } from './resource.js';
import { newRecord, type Defaults } from './validate.js';

/**
 * The command that creates a record with these values and the defaults of its definition.
 * @throws {Rejection} as `newRecord`
 */
export function creation(
  definition: Resource,
  values: Readonly<Record<string, unknown>>,
  terms: Defaults,
): DependentCommand {
  const record = newRecord(definition, values, terms);
  return dependent(definition, String(record['id']), { kind: 'create', record });
}
