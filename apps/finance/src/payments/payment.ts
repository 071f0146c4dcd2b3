// The rules of a payment: what it pays is never more than what was received.

import { payments, type Payment } from '@practice/contracts';
import { problemFor, reject } from '@practice/core';
import { changedEvents, type Decider } from '@practice/resource';
import { balanceAfter, balanceLookup } from '../balances.js';
import { isNegative, minus } from '../money.js';
import { checkLeft } from '../server-kept.js';

export const payment: Decider<typeof payments> = {
  definition: payments,
  derives: true,

  lookups(command, state) {
    const record = state ?? (command.kind === 'create' ? command.record : null);
    return record === null ? [] : [balanceLookup(record.client_id)];
  },

  decide(command, state) {
    switch (command.kind) {
      case 'create':
        if (command.isUndo !== true) checkLeft(payments, command.record, ['allocated']);
        return [{ type: 'PaymentRecorded', data: command.record }];
      case 'change':
        if (state !== null) checkAllocated({ ...state, ...command.changes });
        return changedEvents(payments, command.changes);
      case 'delete':
        return [{ type: 'PaymentDeleted', data: {} }];
    }
  },

  dependents: ({ before, after }, context) => balanceAfter({ resource: payments, before, after }, context),
};

/** @throws {Rejection} PM022 when its allocations are more */
function checkAllocated({ amount, allocated }: Payment): void {
  const isRefund = isNegative(amount) && allocated === '0.00';
  if (!isRefund && isNegative(minus(amount, allocated)))
    reject(
      problemFor('PM022', {
        message: 'the payment is less than its allocations',
        details: `Allocated: ${allocated}.`,
      }),
    );
}
