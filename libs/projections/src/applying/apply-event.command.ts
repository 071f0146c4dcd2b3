import { Command } from '@nestjs/cqrs';
import type { PublishedEvent } from '@practice/bus';

/** One event of another service, with the reactions to it: one transaction. */
export class ApplyEvent extends Command<void> {
  constructor(readonly event: PublishedEvent) {
    super();
  }
}
