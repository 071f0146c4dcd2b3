import { Injectable } from '@nestjs/common';
import { memberships } from '@practice/contracts';
import type { Membership, SecurityEventKind } from '@practice/contracts';
import type { Identity } from '@practice/core';
import type { Statement } from '@practice/log';
import type {
  Begin,
  BegunEffect,
  EffectOrigin,
  FollowingRecord,
  RecordChange,
  WriteEffect,
} from '@practice/write';
import { emailNotConfirmed, refuse } from '../calls/problems.js';
import { ConfirmedAddress } from '../users/confirmed-address.js';
import { endArchivesIn } from '../exports/archives.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { following } from '../store/security-events.js';
import { endBreakGlass } from '../sessions/broken-glass.js';
import { Sessions } from '../sessions/sessions.js';
import { statementOf, unbound } from '../store/database.js';
import { CalendarLink } from '../store/practice.entities.js';
import { upsertAccess } from '../store/raw-sql.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { PersonalToken } from '../store/session.entities.js';
import { Transactions } from '../store/transactions.js';
import type { Member } from '../users/access.js';
import { limitHolds } from './held-access.js';
import { InvitationMail } from './invitation-mail.js';
import { dropInvitation, keepInvitation } from './invitations.js';

interface Change {
  readonly therapistId: string;
  readonly before: Membership | null;
  readonly after: Membership | null;
}

/** The effect of one changed membership. */
interface Part {
  readonly statements: readonly Statement[];
  readonly committed: () => void | Promise<void>;
}

/**
 * The effect of a changed membership. The same transaction stores the access of the person and the token of an invitation, ends
 * break-glass access and links to archives and, with the membership, the person's sessions, tokens and calendar links in the practice. Mail and the announcement to all gateways follow the commit.
 */
@Injectable()
export class MembershipEffect implements WriteEffect {
  readonly resource = memberships;

  constructor(
    private readonly gateways: GatewayAnnouncements,
    private readonly mail: InvitationMail,
    private readonly confirmed: ConfirmedAddress,
    private readonly sessions: Sessions,
    private readonly transactions: Transactions,
  ) {}

  /** Only callers whose address is confirmed may invite: the mail is sent in their name. */
  async beginFor({ userId }: Identity): Promise<Begin> {
    const isConfirmed = await this.transactions.run({ userId }, (tables) =>
      this.confirmed.isConfirmed(tables, userId),
    );
    if (isConfirmed) return (changes) => this.begin(changes, userId);
    return (changes) => {
      if ((changes as readonly unknown[] as readonly Change[]).some(isInvitation)) refuse(emailNotConfirmed);
      return this.begin(changes, userId);
    };
  }

  /** Owners see what happens to members among the security events, too. */
  follow(changes: readonly RecordChange[], origin: EffectOrigin): FollowingRecord[] {
    return (changes as readonly unknown[] as readonly Change[]).flatMap(({ before, after }) => {
      const kind = kindOf(before, after);
      const { id, user_id: userId } = after ?? before ?? { id: '', user_id: null };
      return kind === undefined ? [] : [following(origin, { kind, userId, membershipId: id })];
    });
  }

  /** @param by the person who asks for the changes: only a person can invite */
  begin(changes: readonly RecordChange[], by = ''): BegunEffect {
    const parts = (changes as readonly unknown[] as readonly Change[]).flatMap((change) => [
      ...this.access(change),
      ...this.invitation(change, by),
    ]);
    return {
      statements: parts.flatMap(({ statements }) => statements),
      committed: async () => {
        await Promise.all(parts.map(async ({ committed }) => committed()));
      },
    };
  }

  private access({ therapistId, before, after }: Change): Part[] {
    const [held, holds] = [activeOf(before), activeOf(after)];
    const member = holds ?? held;
    if (member === null || held?.role === holds?.role) return [];
    const of = { userId: String(member.user_id), therapistId };
    const role = holds?.role ?? null;
    return [
      {
        statements: [
          upsertAccess(of.userId, therapistId, role),
          limitHolds(therapistId),
          ...endBreakGlass(of),
          endArchivesIn(of),
          ...(holds === null
            ? [this.sessions.endInStatement(of), deletedOf(PersonalToken, of), deletedOf(CalendarLink, of)]
            : []),
        ],
        committed: async () => {
          await Promise.all([
            // There are no tokens yet for a practice that has just been opened.
            before !== null && this.gateways.memberChanged({ ...of, role }),
            // Gateways must know the ended sessions before the person can join again.
            holds === null && this.gateways.stateChanged(),
          ]);
        },
      },
    ];
  }

  private invitation({ therapistId, before, after }: Change, by: string): Part[] {
    const of = { therapistId, membershipId: (after ?? before)?.id ?? '' };
    if (after?.status !== 'invited') {
      const ends = before?.status === 'invited';
      return ends ? [{ statements: [dropInvitation(of)], committed: () => undefined }] : [];
    }
    if (!isInvitation({ before, after })) return [];
    const token = randomToken();
    return [
      {
        statements: [keepInvitation(of, tokenHash(token))],
        committed: () => this.mail.send({ therapistId, email: after.email, role: after.role, token, by }),
      },
    ];
  }
}

const isInvitation = ({ before, after }: Pick<Change, 'before' | 'after'>): boolean =>
  after?.status === 'invited' && before?.status !== 'invited';

function kindOf(before: Membership | null, after: Membership | null): SecurityEventKind | undefined {
  const [was, is] = [before?.status, after?.status ?? 'removed'];
  if (is !== was && is !== 'active') return is === 'invited' ? 'member_invited' : 'member_removed';
  if (before === null || after === null || before.role === after.role) return undefined;
  return 'member_role_changed';
}

const activeOf = (membership: Membership | null): Membership | null =>
  membership?.status === 'active' ? membership : null;

/** Deletes what a person has in a practice. The transaction acts for both. */
const deletedOf = (table: typeof PersonalToken | typeof CalendarLink, of: Member): Statement =>
  statementOf(unbound.createQueryBuilder().delete().from<PersonalToken | CalendarLink>(table).where(of));
