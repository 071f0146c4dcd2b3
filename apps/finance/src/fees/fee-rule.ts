import { feeRules } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { deciderOf } from '@practice/resource';

/** The rules of a fee rule. It can end, but cannot change, so that each booking keeps the rule of its time. */
export const feeRule = deciderOf(feeRules, {
  kept: ['status'],
  change(_, { changes: { status }, isUndo }, { now }) {
    if (status === 'ended') return { status, ended_at: now };
    if (!isUndo) reject(hasEnded);
    return [{ type: 'FeeRuleRestored', data: { status: 'active' as const, ended_at: null } }];
  },
});

const hasEnded = problemFor('PM001', {
  message: 'a fee rule that has ended cannot change',
  hint: 'Undo the change that ended it, or create a new rule.',
});
