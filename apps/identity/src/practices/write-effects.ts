import { Injectable } from '@nestjs/common';
import { memberships, practices } from '@practice/contracts';
import type { Membership, Practice, SecurityEventKind } from '@practice/contracts';
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
import { IsNull } from 'typeorm';
import { problems, refuse } from '../calls/problems.js';
import { endArchivesIn } from '../exports/archives.js';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { endBreakGlass } from '../sessions/broken-glass.js';
import { Sessions } from '../sessions/sessions.js';
import { deleting, deletionOf, statementOf, unbound, updating } from '../store/database.js';
import { BEGINS_MFA_SETTING } from '../store/policies.js';
import { Access, CalendarLink, Invitation } from '../store/practice.entities.js';
import { upsertAccess } from '../store/raw-sql.js';
import { randomToken, tokenHash } from '../store/secrets.js';
import { following } from '../store/security-events.js';
import { PersonalToken, Session } from '../store/session.entities.js';
import { setting, Transactions } from '../store/transactions.js';
import { ConfirmedAddress } from '../users/users.js';
import { InvitationMail, keepInvitation } from './invitations.js';
import { limitHolds } from './reset-factors.js';

/**
 * The effect of a changed membership. The transaction stores the person's access or the invitation's token, and ends break-glass access and links to
 * archives. The end of a membership also ends sessions, tokens and calendar links. Mail and the announcement to gateways follow the commit.
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
    return (changes) => {
      const own = changes as readonly RecordChange<Membership>[];
      if (!isConfirmed && own.some(isInvitation)) refuse(problems.emailNotConfirmed);
      return this.begin(own, userId);
    };
  }

  /** Records the changes as security events, which owners can read. */
  follow(changes: readonly RecordChange<Membership>[], origin: EffectOrigin): FollowingRecord[] {
    return changes.flatMap(({ before, after }) => {
      const kind = kindOf(before, after);
      const { id, user_id: userId } = after ?? before ?? { id: '', user_id: null };
      return kind === undefined ? [] : [following(origin, { kind, userId, membershipId: id })];
    });
  }

  /** @param by the person who asks for the changes: only a person can invite */
  begin(changes: readonly RecordChange<Membership>[], by = ''): BegunEffect {
    const parts = changes.flatMap((change) => [...this.access(change), ...this.invitation(change, by)]);
    return {
      statements: parts.flatMap(({ statements }) => statements),
      committed: async () => {
        await Promise.all(parts.map(async (part) => part.committed()));
      },
    };
  }

  private access({ therapistId, before, after }: RecordChange<Membership>): BegunEffect[] {
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
            ? [this.sessions.endInStatement(of), deletionOf(PersonalToken, of), deletionOf(CalendarLink, of)]
            : []),
        ],
        committed: async () => {
          await Promise.all([
            // There are no tokens yet for a practice that has just been opened.
            before !== null && this.gateways.announce({ type: 'MemberChanged', member: { ...of, role } }),
            // Gateways must know the ended sessions before the person can join again.
            holds === null && this.gateways.stateChanged(),
          ]);
        },
      },
    ];
  }

  private invitation({ therapistId, before, after }: RecordChange<Membership>, by: string): BegunEffect[] {
    const of = { therapistId, membershipId: (after ?? before)?.id ?? '' };
    if (after?.status !== 'invited') {
      const ends = before?.status === 'invited';
      return ends ? [{ statements: [deletionOf(Invitation, of)], committed: () => undefined }] : [];
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

const isInvitation = ({ before, after }: Pick<RecordChange<Membership>, 'before' | 'after'>): boolean =>
  after?.status === 'invited' && before?.status !== 'invited';

function kindOf(before: Membership | null, after: Membership | null): SecurityEventKind | undefined {
  const [was, is] = [before?.status, after?.status ?? 'removed'];
  if (is !== was && is !== 'active') return is === 'invited' ? 'member_invited' : 'member_removed';
  if (before === null || after === null || before.role === after.role) return undefined;
  return 'member_role_changed';
}

const activeOf = (membership: Membership | null): Membership | null =>
  membership?.status === 'active' ? membership : null;

/**
 * The effect of a changed `require_mfa`. The same transaction stores it with the members' access, and ends sessions and tokens
 * without a second factor. All gateways load their state again after the commit.
 */
@Injectable()
export class MfaRequirement implements WriteEffect {
  readonly resource = practices;

  constructor(private readonly gateways: GatewayAnnouncements) {}

  follow(changes: readonly RecordChange<Practice>[], origin: EffectOrigin): FollowingRecord[] {
    return requirementsIn(changes).map(({ requiresMfa }) =>
      following(origin, { kind: requiresMfa ? 'mfa_required' : 'mfa_no_longer_required', userId: null }),
    );
  }

  begin(changes: readonly RecordChange<Practice>[]): BegunEffect {
    const statements = requirementsIn(changes).flatMap(({ therapistId, requiresMfa }) => [
      statementOf(
        updating(unbound, Access, { requiresMfa, changedAt: () => 'now()' }).where({ therapistId }),
      ),
      ...(requiresMfa ? endWeakAccess(therapistId) : []),
    ]);
    return {
      statements,
      committed: () => (statements.length === 0 ? undefined : this.gateways.stateChanged()),
    };
  }
}

/** The changed requirements. A practice that is being opened has no members yet. */
const requirementsIn = (changes: readonly RecordChange<Practice>[]) =>
  changes.flatMap(({ therapistId, before, after }) =>
    before === null || after === null || before.require_mfa === after.require_mfa
      ? []
      : [{ therapistId, requiresMfa: after.require_mfa }],
  );

const OF_MEMBERS =
  'user_id IN (SELECT a.user_id FROM identity.access AS a WHERE a.therapist_id = :therapistId)';

const HAS_FACTOR = `(EXISTS (SELECT FROM identity.mfa_factors AS f
  WHERE f.user_id = personal_tokens.user_id AND f.verified_at IS NOT NULL)
  OR EXISTS (SELECT FROM identity.passkeys AS p WHERE p.user_id = personal_tokens.user_id))`;

/** Ends the members' sessions in the practice that have not passed a second factor, and the tokens of members without one. */
const endWeakAccess = (therapistId: string): Statement[] => {
  const sessions = updating(unbound, Session, { endedAt: () => 'now()' })
    .where({ therapistId, secondFactorAt: IsNull(), endedAt: IsNull() })
    .andWhere(OF_MEMBERS, { therapistId });
  const tokens = deleting(unbound, PersonalToken, { therapistId }).andWhere(
    `${OF_MEMBERS} AND NOT ${HAS_FACTOR}`,
    { therapistId },
  );
  return [
    setting({ [BEGINS_MFA_SETTING]: therapistId }),
    statementOf(sessions),
    statementOf(tokens),
    setting({ [BEGINS_MFA_SETTING]: '' }),
  ];
};
