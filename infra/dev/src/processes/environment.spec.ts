import { expect, it } from '@jest/globals';
import { readSettings } from '../dev.config.js';
import { storedServices } from '../services.js';
import { environmentOf, type Whereabouts } from './environment.js';

const hosts = (environment: Readonly<Record<string, string>>): (string | undefined)[] => {
  const where = {
    infra: {
      databaseUrl: (role: string) => `postgres://${role}:x@primary/practice`,
      requestUrl: ({ name }: { name: string }) => `postgres://${name}:p%40ss@primary/practice`,
      natsUrl: () => 'nats://127.0.0.1',
    },
    settings: readSettings(environment),
    statementKeys: { privateKey: '', publicKeys: [] },
    ...{ apikey: '', keysFolder: '', baseUrl: '', origin: '', liveUrls: [], liveHost: '', port: 1 },
    metrics: { host: '', port: 2 },
  } as unknown as Whereabouts;
  return ['clients', 'finance', 'scheduling'].map((name) => {
    const service = storedServices.find((one) => one.name === name);
    return service && environmentOf(service, where)['DATABASE_REPLICA_URL'];
  });
};

it('each service reads from the replica of its own server, as its own role', () => {
  expect(hosts({})).toEqual([undefined, undefined, undefined]);
  expect(
    hosts({
      DATABASE_REPLICA_URL: 'postgres://other:secret@replica/practice?sslmode=require',
      CLIENTS_DATABASE_URL: 'postgres://admin@clients/practice',
      FINANCE_DATABASE_URL: 'postgres://admin@finance/practice',
      FINANCE_DATABASE_REPLICA_URL: 'postgres://replica-of-finance/practice',
    }),
  ).toEqual([
    undefined,
    'postgres://finance:p%40ss@replica-of-finance/practice',
    'postgres://scheduling:p%40ss@replica/practice?sslmode=require',
  ]);
});
