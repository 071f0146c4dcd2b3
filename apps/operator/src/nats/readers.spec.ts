import { expect, it } from '@jest/globals';
import { permissionsOf } from './permissions.js';
import { withReader } from './readers.js';
import { storedServices } from '../settings/services.js';

it('a reader cannot have a subscription of the product', () => {
  const acknowledged = storedServices
    .flatMap((service) => permissionsOf(service).publish)
    .flatMap((subject) => /^\$JS\.ACK\.\w+\.([\w-]+)\.>$/.exec(subject)?.[1] ?? []);
  expect(acknowledged).toContain('webhooks-news');
  for (const name of acknowledged)
    expect(() => withReader([], { name: 'partner', subscriptions: [name] })).toThrow(
      `'${name}' is reserved for the product.`,
    );
});
