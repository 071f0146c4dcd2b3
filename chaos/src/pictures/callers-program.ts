// The process of the callers: carries out orders, one at a time.
import { createRandom } from '@practice/dev';
import { startLoad } from '../load/load.js';
import type { Api } from '../load/practice.js';
import type { Order, Report } from './callers.js';
import { crowd, flood, visit } from './crowds.js';
import { failNowAndThen } from './failing-subscriber.js';

const CALM = { seed: 1, practices: 6, rest: 500 };
const CROWD = { practices: 20, rest: 200 };
const FLOOD_CONNECTIONS = 100;
let api: Api | undefined;

process.on('message', (order: Order) => {
  carryOut(order).then(
    () => report(''),
    (error: unknown) => report(String(error)),
  );
});
process.once('disconnect', () => process.exit());

async function carryOut(order: Order): Promise<void> {
  if (order.kind === 'calm') api = await begin(order);
  else if (api === undefined) throw new Error('the even load has not begun');
  else {
    const ended = AbortSignal.timeout(order.seconds * 1000);
    await (order.kind === 'crowd' ? crowd(api, CROWD, ended) : flood(api, FLOOD_CONNECTIONS, ended));
  }
}

async function begin({ baseUrl, apikey, natsUrl, folder }: Order & { kind: 'calm' }): Promise<Api> {
  const stack = { baseUrl, apikey, natsUrl: () => natsUrl };
  const load = await startLoad({ stack, wires: new Map() }, { ...CALM, folder });
  await failNowAndThen(natsUrl, createRandom(3));
  void visit(load.api);
  return load.api;
}

function report(text: Report): void {
  process.send?.(text);
}
