import type { GlassBroken } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { AnnouncedValues } from './announced-values.js';

/** The break-glass accesses of sessions, as the identity service announces them. */
export class BrokenGlass {
  private readonly known = new AnnouncedValues<GlassBroken>({
    keyOf: ({ sessionId }) => sessionId,
    isSame: (one, other) => one.id === other.id,
  });

  /** An announcement. */
  hear(access: GlassBroken): void {
    this.known.hear(access);
  }

  /** The role of a member has changed. Heard as an ended access, so that a load under way does not bring it back. */
  end({ userId, therapistId }: Pick<GlassBroken, 'userId' | 'therapistId'>): void {
    for (const access of this.known.values)
      if (access.userId === userId && access.therapistId === therapistId)
        this.known.hear({ ...access, until: 0 });
  }

  /** As `AnnouncedValues.beginLoad`. */
  beginLoad(): (accesses: readonly GlassBroken[]) => GlassBroken[] {
    return this.known.beginLoad();
  }

  /**
   * The identity with the break-glass access of its session, if it has one in this practice and the member still has the same
   * role. Whether the access has ended is decided at each read, by `asReader`.
   */
  readerOf(identity: Identity): Identity | undefined {
    const access = this.known.get(identity.sessionId ?? '');
    if (access === undefined) return undefined;
    const { id, until, therapistId, role } = access;
    const isOf = therapistId === identity.therapistId && role === identity.practiceRole;
    return isOf ? { ...identity, breakGlass: { id, until } } : undefined;
  }
}
