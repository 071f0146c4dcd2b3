import { Command } from '@nestjs/cqrs';
import type { DeletionAnswer, DeletionQuestion, Caller } from '@practice/mirror';

/** The owner of records asks whether they may be deleted. If this service has no references to them, it stores the owner's marks. */
export class AgreeToDeletions extends Command<DeletionAnswer> {
  constructor(
    readonly question: DeletionQuestion,
    readonly caller: Caller,
  ) {
    super();
  }
}
