import { Injectable } from '@nestjs/common';
import { practices } from '@practice/contracts';
import type { Practice } from '@practice/contracts';
import type { Statement } from '@practice/log';
import type { BegunEffect, EffectOrigin, FollowingRecord, RecordChange, WriteEffect } from '@practice/write';
import { GatewayAnnouncements } from '../notices/announcements.js';
import { BEGINS_MFA_SETTING } from '../store/row-security.js';
import { following } from '../store/security-events.js';
import { requireMfa } from '../users/access.js';

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
    requireMfa(therapistId, after.require_mfa),
    ...(after.require_mfa ? endWeakAccess(therapistId) : []),
  ];
}

/** Ends the members' sessions in the practice that have not passed a second factor, and the tokens of members without one. */
const endWeakAccess = (therapistId: string): Statement[] => [
  setting(therapistId),
  {
    text: `UPDATE identity.sessions SET ended_at = now()
WHERE user_id IN (SELECT user_id FROM identity.access WHERE therapist_id = $1)
  AND therapist_id = $1 AND second_factor_at IS NULL AND ended_at IS NULL`,
    values: [therapistId],
  },
  {
    text: `DELETE FROM identity.personal_tokens AS t
WHERE t.user_id IN (SELECT user_id FROM identity.access WHERE therapist_id = $1) AND t.therapist_id = $1
  AND NOT EXISTS (SELECT FROM identity.mfa_factors AS f WHERE f.user_id = t.user_id AND f.verified_at IS NOT NULL)`,
    values: [therapistId],
  },
  setting(''),
];

const setting = (therapistId: string): Statement => ({
  text: 'SELECT set_config($1, $2, true)',
  values: [BEGINS_MFA_SETTING, therapistId],
});
