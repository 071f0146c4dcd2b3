import type { GatewayMember } from '@practice/contracts';
import type { Identity } from '@practice/core';
import { AnnouncedValues } from './announced-values.js';

type Member = Pick<GatewayMember, 'userId' | 'therapistId'>;

/** The standings that have changed since tokens were issued: they count, and not the claims of the token. */
export class ChangedMembers {
  private readonly known = new AnnouncedValues<GatewayMember>({
    keyOf,
    isSame: (one, other) =>
      one.role === other.role && (one.requiresMfa ?? false) === (other.requiresMfa ?? false),
  });

  /**
   * An announcement.
   * @returns whether it is certainly the latest of the member: another one was known, and processes may announce two changes in
   *   the other order than they made them
   */
  hear(member: GatewayMember): boolean {
    const isFirst = this.known.get(keyOf(member)) === undefined;
    this.known.hear({ ...member, requiresMfa: member.requiresMfa ?? this.requiresMfa(member) });
    return isFirst;
  }

  /** As `AnnouncedValues.beginLoad`. */
  beginLoad(): (members: readonly GatewayMember[]) => GatewayMember[] {
    return this.known.beginLoad();
  }

  /** The identity with the role of now; undefined when the person is no longer a member of the practice. */
  current(identity: Identity): Identity | undefined {
    const { role } = this.known.get(keyOf(identity)) ?? {};
    if (role === undefined || role === identity.practiceRole) return identity;
    return role === null ? undefined : { ...identity, practiceRole: role };
  }

  /** Whether the practice has begun to require a second factor. */
  requiresMfa(member: Member): boolean {
    return this.known.get(keyOf(member))?.requiresMfa === true;
  }
}

const keyOf = ({ userId, therapistId }: Member): string => `${userId} ${therapistId}`;
