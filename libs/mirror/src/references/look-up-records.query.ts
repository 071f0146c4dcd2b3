import { Query } from '@nestjs/cqrs';
import type { OwnedRecords } from './record-owners.js';

/** A question about the records that have one of these values in a column. */
export interface LookUpQuestion {
  readonly resource: string;
  /** The id if it is not given. */
  readonly column?: string;
  readonly ids: readonly string[];
}

/** Another service looks up records of this one. */
export class LookUpRecords extends Query<OwnedRecords> {
  constructor(
    readonly therapistId: string,
    readonly question: LookUpQuestion,
  ) {
    super();
  }
}
