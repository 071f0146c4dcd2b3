// The daily seals of the logs, as an outside subscriber receives and checks them.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { serviceNames, type LogSeal } from '@practice/contracts';
import { logRoot, run } from '@practice/log';
import { subscribe, connect, type Connection } from '@practice/bus';
import { adminDatabase, call, stack } from '@practice/testing';
import jwt from 'jsonwebtoken';

let connection: Connection;
const admin = adminDatabase();
const seals = new Map<string, LogSeal>();

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

beforeAll(async () => {
  connection = await connect({ url: stack().natsUrl('admin'), name: 'seals', logger: silent });
  let complete: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (complete = resolve));
  await subscribe({
    connection,
    name: `seals-${process.pid}`,
    events: ['LogSealed'],
    handler: ({ data }) => {
      seals.set((data as LogSeal).service, data as LogSeal);
      if (seals.size === serviceNames.length) complete();
    },
  });
  await all;
});

afterAll(async () => {
  await connection.close();
});

describe('LogSealed', () => {
  it('is published once a day for each service', async () => {
    expect([...seals.keys()].sort()).toEqual([...serviceNames].sort());
    const { rows } = await admin.query(`SELECT service, until FROM identity.log_seals`);
    expect(rows.length).toBe(seals.size);
    for (const { until } of seals.values()) expect(until).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\+00:00$/);
  });

  it.each([...serviceNames])(
    'of %s is signed with a published key, and the log still has that root',
    async (service) => {
      const { until, practices, root, seal } = seals.get(service) as LogSeal;
      const { header } = jwt.decode(seal, { complete: true }) as jwt.Jwt;
      const { keys } = (await call('/auth/v1/.well-known/jwks.json')).json as { keys: JsonWebKey[] };
      const key = keys.find((one) => one['kid'] === header.kid) as JsonWebKey;
      const { x, y } = key;
      expect((header as unknown as { jwk: object }).jwk).toMatchObject({ x, y });
      const publicKey = createPublicKey({ key, format: 'jwk' });
      expect(jwt.verify(seal, publicKey, { algorithms: ['ES256'] })).toEqual({
        service,
        until,
        practices,
        root,
      });
      expect(await logRoot(service, until, (statement) => run(admin, statement))).toEqual({
        practices,
        root,
      });
    },
  );
});
