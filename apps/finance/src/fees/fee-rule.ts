import { feeRules } from '@practice/contracts';
import { deciderOf } from '@practice/resource';

/** The rules of a fee rule. It can end, but cannot change, so that each booking keeps the rule of its time. */
export const feeRule = deciderOf(feeRules, {
  kept: ['status'],
  change: (_, { changes: { status } }, { now }) =>
    status === 'ended'
      ? { status, ended_at: now }
      : [{ type: 'FeeRuleRestored', data: { status: 'active' as const, ended_at: null } }],
});
