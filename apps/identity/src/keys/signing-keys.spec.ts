import { expect, it } from '@jest/globals';
import type { IdentityConfig } from '../identity.config.js';
import type { GatewayAnnouncements } from '../notices/announcements.js';
import type { Transactions } from '../store/transactions.js';
import { SigningKeys } from './signing-keys.js';

it('the keys are read again when a change was announced', async () => {
  let reads = 0;
  let announce: () => void = () => undefined;
  const transactions = {
    run: () => {
      reads += 1;
      return Promise.resolve([]);
    },
  };
  const gateways = { onStateChanged: (heard: () => void) => void (announce = heard) };
  const keys = new SigningKeys(
    transactions as unknown as Transactions,
    gateways as unknown as GatewayAnnouncements,
    { keyEncryptionKey: Buffer.alloc(32).toString('base64'), accessTokenTtlSeconds: 3600 } as IdentityConfig,
  );
  keys.onApplicationBootstrap();
  expect(reads).toBe(0);
  announce();
  await Promise.resolve();
  expect(reads).toBe(1);
});
