// The rules of a fee rule: it ends, and never changes, so that each booking keeps the rule of its time.

import { feeRules } from '@practice/contracts';
import type { Decider } from '@practice/resource';
import { checkLeft } from '../server-kept.js';

export const feeRule: Decider<typeof feeRules> = {
  definition: feeRules,
  lookups: () => [],
  decide(command, _state, { now }) {
    switch (command.kind) {
      case 'create':
        if (command.isUndo !== true) checkLeft(feeRules, command.record, ['status', 'ended_at']);
        return [{ type: 'FeeRuleAdded', data: command.record }];
      case 'change':
        return command.changes.status === 'ended'
          ? [{ type: 'FeeRuleEnded', data: { status: 'ended', ended_at: now } }]
          : [{ type: 'FeeRuleRestored', data: { status: 'active', ended_at: null } }];
      case 'delete':
        return [{ type: 'FeeRuleDeleted', data: {} }];
    }
  },
};
