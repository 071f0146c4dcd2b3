import { expect, it, jest } from '@jest/globals';
import { readSettings } from '../settings/operator.config.js';
import { storedServices, type Service } from '../settings/services.js';
import { environmentOf, type Whereabouts } from './environment.js';

const allOf = (environment: Readonly<Record<string, string>>, service: Service): Record<string, string> =>
  environmentOf(service, {
    infra: {
      databaseUrl: (role: string) => `postgres://${role}:x@primary/practice`,
      requestUrl: ({ name }: { name: string }) => `postgres://${name}:p%40ss@primary/practice`,
      natsUrl: () => 'nats://127.0.0.1',
    },
    settings: readSettings(environment),
    statementKeys: { privateKey: '', publicKeys: [] },
    ...{ apikey: '', keysFolder: '', baseUrl: '', origin: '', liveUrls: [], liveHost: '', port: 1 },
    metrics: { host: '', port: 2 },
  } as unknown as Whereabouts);

const hosts = (environment: Readonly<Record<string, string>>): (string | undefined)[] =>
  ['clients', 'finance', 'scheduling'].map((name) => {
    const service = storedServices.find((one) => one.name === name);
    return service && allOf(environment, service)['DATABASE_REPLICA_URL'];
  });

it('each service reads from the replica of its own server with its own role', () => {
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

const identityIn = (variables: NodeJS.ProcessEnv, environment: Readonly<Record<string, string>> = {}) => {
  const replaced = jest.replaceProperty(process, 'env', variables);
  const service = storedServices.find(({ name }) => name === 'identity') as Service;
  const { MAIL_TO_LOG, CONFIRM_ADDRESSES } = allOf(environment, service);
  replaced.restore();
  return { MAIL_TO_LOG, CONFIRM_ADDRESSES };
};

it('mails are logged and addresses unconfirmed only in development on this machine, never in production', () => {
  expect(identityIn({})).toEqual({ MAIL_TO_LOG: 'yes', CONFIRM_ADDRESSES: 'no' });
  expect(identityIn({}, { HOST: '0.0.0.0' })).toMatchObject({ MAIL_TO_LOG: 'no' });
  for (const given of [{}, { MAIL_TO_LOG: 'yes', CONFIRM_ADDRESSES: 'no' }])
    expect(identityIn({ NODE_ENV: 'production' }, given)).toEqual({
      MAIL_TO_LOG: 'no',
      CONFIRM_ADDRESSES: 'yes',
    });
});
