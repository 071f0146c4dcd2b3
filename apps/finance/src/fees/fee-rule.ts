import { feeRules } from '@practice/contracts';
import { deciderOf } from '@practice/resource';

/** A fee rule ends, and never changes, so that each booking keeps the rule of its time. */
export const feeRule = deciderOf(feeRules, {
  kept: ['status'],
  change: (_, { changes: { status } }, { now }) =>
    status === 'ended'
      ? { status, ended_at: now }
      : [{ type: 'FeeRuleRestored', data: { status: 'active' as const, ended_at: null } }],
});
