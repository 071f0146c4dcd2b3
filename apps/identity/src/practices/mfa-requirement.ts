import { Injectable } from '@nestjs/common';
import { practices } from '@practice/contracts';
import type { Practice } from '@practice/contracts';
import type { Statement } from '@practice/log';
import type { BegunEffect, EffectOrigin, FollowingRecord, RecordChange, WriteEffect } from '@practice/write';
import { IsNull } from 'typeorm';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { BEGINS_MFA_SETTING } from '../store/row-security.js';
import { following } from '../store/security-events.js';
import { setting } from '../store/transactions.js';
import { statementOf, unbound } from '../store/database.js';
import { Access } from '../store/practice.entities.js';
import { PersonalToken, Session } from '../store/session.entities.js';

interface Change {
  readonly therapistId: string;
  readonly before: Practice | null;
  readonly after: Practice | null;
}

/**
 * The effect of a changed `require_mfa`. The same transaction stores it with the members' access, and ends what has not passed a
 * second factor. All gateways load their state again after the commit.
 */
@Injectable()
export class MfaRequirement implements WriteEffect {
  readonly resource = practices;

  constructor(private readonly gateways: GatewayAnnouncements) {}

  follow(changes: readonly RecordChange[], origin: EffectOrigin): FollowingRecord[] {
    return (changes as readonly unknown[] as readonly Change[]).flatMap(({ before, after }) => {
      if (before === null || after === null || before.require_mfa === after.require_mfa) return [];
      const kind = after.require_mfa ? 'mfa_required' : 'mfa_no_longer_required';
      return [following(origin, { kind, userId: null })];
    });
  }

  begin(changes: readonly RecordChange[]): BegunEffect {
    const statements = (changes as readonly unknown[] as readonly Change[]).flatMap(effectOf);
    return {
      statements,
      committed: () => (statements.length === 0 ? undefined : this.gateways.stateChanged()),
    };
  }
}

function effectOf({ therapistId, before, after }: Change): Statement[] {
  // A practice that is being opened has no members yet.
  if (before === null || after === null || before.require_mfa === after.require_mfa) return [];
  return [
    statementOf(updateOf(therapistId, after.require_mfa)),
    ...(after.require_mfa ? endWeakAccess(therapistId) : []),
  ];
}

/** Sets whether the practice requires a second factor. The transaction acts for the practice. */
const updateOf = (therapistId: string, requiresMfa: boolean) =>
  unbound
    .createQueryBuilder()
    .update(Access)
    .set({ requiresMfa, changedAt: () => 'now()' })
    .where({ therapistId });

const OF_MEMBERS =
  'user_id IN (SELECT a.user_id FROM identity.access AS a WHERE a.therapist_id = :therapistId)';

const HAS_FACTOR = `EXISTS (SELECT FROM identity.mfa_factors AS f
  WHERE f.user_id = personal_tokens.user_id AND f.verified_at IS NOT NULL)`;

/** Ends the members' sessions in the practice that have not passed a second factor, and the tokens of members without one. */
const endWeakAccess = (therapistId: string): Statement[] => {
  const sessions = unbound
    .createQueryBuilder()
    .update(Session)
    .set({ endedAt: () => 'now()' })
    .where({ therapistId, secondFactorAt: IsNull(), endedAt: IsNull() })
    .andWhere(OF_MEMBERS, { therapistId });
  const tokens = unbound
    .createQueryBuilder()
    .delete()
    .from(PersonalToken)
    .where({ therapistId })
    .andWhere(`${OF_MEMBERS} AND NOT ${HAS_FACTOR}`, { therapistId });
  return [
    setting({ [BEGINS_MFA_SETTING]: therapistId }),
    statementOf(sessions),
    statementOf(tokens),
    setting({ [BEGINS_MFA_SETTING]: '' }),
  ];
};
