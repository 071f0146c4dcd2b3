// The process that holds open connections, so that the one that measures has none of their work.

import { atOnce } from '../seed/seed.js';
import { openChannel } from './channel.js';
import type { CrowdMessage, CrowdOrder, Opening } from './protocol.js';
import { openStream } from './stream.js';

const AT_ONCE = 16;

let [open, events, lastAt] = [0, 0, 0];

process.on('message', (order: CrowdOrder) => {
  if (order.kind === 'count') return say({ kind: 'received', received: { open, events, lastAt } });
  openAll(order).then(
    () => say({ kind: 'opened' }),
    (error: unknown) => say({ kind: 'failed', message: String(error) }),
  );
});
process.once('disconnect', () => process.exit());

function openAll({ kind, origin, apikey, tokens }: Opening): Promise<void> {
  const onEvents = (count: number): void => {
    events += count;
    lastAt = Date.now();
  };
  return atOnce(AT_ONCE, tokens.length, async (index) => {
    const caller = { origin, apikey, token: tokens[index] as string };
    if (kind === 'sockets') await openChannel({ ...caller, onChange: () => onEvents(1) });
    else await openStream({ ...caller, onEvents });
    open += 1;
  });
}

function say(message: CrowdMessage): void {
  process.send?.(message);
}
