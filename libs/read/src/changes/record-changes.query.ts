import { Query } from '@nestjs/cqrs';
import type { AskedChange } from '@practice/contracts';

/** Changes as JSON, in the order in which they were asked for. */
export interface ToldChanges {
  readonly told: readonly string[];
  /** False if no more changes fit; the caller must ask again for the changes after the last one. */
  readonly isWhole: boolean;
}

/** Asks for records of this service before and after changes. */
export class ReadRecordChanges extends Query<ToldChanges> {
  constructor(
    readonly therapistId: string,
    readonly asked: readonly AskedChange[],
  ) {
    super();
  }
}
