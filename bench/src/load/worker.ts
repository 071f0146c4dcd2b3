// The load's own process: takes orders from the one that measures, one at a time.

import { pace } from './pace.js';
import type { Message, Order } from './protocol.js';
import { saturate } from './saturate.js';

process.on('message', (order: Order) => {
  carryOut(order).then(
    (result) => say({ kind: 'done', result }),
    (error: unknown) =>
      say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) }),
  );
});
process.once('disconnect', () => process.exit());

function carryOut(order: Order) {
  const measuring = (): void => say({ kind: 'measuring' });
  return order.kind === 'saturate' ? saturate(order, measuring) : pace(order, measuring);
}

function say(message: Message): void {
  process.send?.(message);
}
