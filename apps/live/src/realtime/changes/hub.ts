// The changes of records in all practices that clients of this process listen to.

import { PracticeChanges } from './practice-changes.js';
import type { ChangeListener, ChangesParts } from './practice-changes.js';

export class Changes {
  private readonly practices = new Map<string, PracticeChanges>();

  constructor(private readonly parts: ChangesParts) {}

  /** Adds a listener. Changes from now on reach it once the result is there. */
  async listen(therapistId: string, listener: ChangeListener): Promise<void> {
    const known = this.practices.get(therapistId) ?? new PracticeChanges(therapistId, this.parts);
    this.practices.set(therapistId, known);
    known.listeners.add(listener);
    await this.parts.connection.nats.flush();
  }

  leave(therapistId: string, listener: ChangeListener): void {
    const practice = this.practices.get(therapistId);
    practice?.listeners.delete(listener);
    if (practice === undefined || practice.listeners.size > 0) return;
    practice.close();
    this.practices.delete(therapistId);
  }
}
