import { Command } from '@nestjs/cqrs';
import type { Standing } from '../users/access.js';

/** Makes sure that a user who is signed in acts in a practice: a person who has left all practices gets a new one. */
export class GivePractice extends Command<Standing> {
  constructor(readonly userId: string) {
    super();
  }
}
