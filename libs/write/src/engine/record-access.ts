import { compileConcerned, type Accessed } from '@practice/query';
import { NONE, type AccessLog, type Written } from '@practice/read';
import type { Work } from './execute.js';

/**
 * Records the access of a write to confidential records. A refusal depends on the records that the write is about.
 * @throws {Rejection} PM503 if it cannot be recorded; then the response must not be sent
 */
export function recordAccess(
  accesses: AccessLog,
  { plan, origin: by, method }: Pick<Work, 'plan' | 'origin' | 'method'>,
  response: Written,
): Promise<void> {
  const refused = (): Promise<Accessed> | Accessed => {
    const query = compileConcerned(plan);
    return query === undefined ? NONE : accesses.concerned(by, query);
  };
  return accesses.recordWrite([plan.resource], { by, method }, { response, refused });
}
