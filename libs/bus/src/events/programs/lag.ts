// npm run events -- lag: how far each subscription is behind the stream.

import { subscriptionLags } from '../lag.js';
import { withConnection } from './connected.js';
import { age, table } from './table.js';

await withConnection(async (connection) => {
  const lags = await subscriptionLags(connection);
  const now = Date.now();
  return table(
    ['SUBSCRIPTION', 'PENDING', 'UNACKED', 'REDELIVERED', 'OLDEST', 'SERVED'],
    lags.map(({ name, pending, unacknowledged, redelivered, oldest, isServed }) => [
      name,
      pending,
      unacknowledged,
      redelivered,
      oldest === null ? '-' : age(oldest, now),
      isServed ? 'yes' : 'no',
    ]),
  );
});
