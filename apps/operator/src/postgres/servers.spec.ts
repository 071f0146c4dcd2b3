import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../settings/operator.config.js';
import { storedServices, type Service } from '../settings/services.js';
import { databaseServers, urlsOn } from './servers.js';

const passwordOf = (role: string): string => `password-of-${role}`;
const named = (name: string): Service => storedServices.find((service) => service.name === name) as Service;
const namesOf = (services: readonly Service[]): string[] => services.map(({ name }) => name);
const BUILT_IN = { adminUrl: 'postgres://postgres:x@127.0.0.1:5000/practice', poolUrl: '' };

describe('the Postgres servers of the services', () => {
  it('are one server, unless a service has its own', () => {
    const [only, ...others] = databaseServers(readSettings({}), BUILT_IN);
    expect(only).toMatchObject({ ...BUILT_IN, isOurs: true, services: storedServices });
    expect(others).toEqual([]);
  });

  it('give each service its own server, if it has one', () => {
    const settings = readSettings({
      DATABASE_URL: 'postgres://admin@shared/practice',
      CLINICAL_NOTES_DATABASE_URL: 'postgres://admin@notes/practice',
    });
    const servers = databaseServers(settings, undefined);
    expect(servers.map(({ services }) => namesOf(services))).toEqual([
      namesOf(storedServices).filter((name) => name !== 'clinical-notes'),
      ['clinical-notes'],
    ]);
    const { databaseUrl } = urlsOn(servers, passwordOf);
    expect(databaseUrl('clinical_notes_relay')).toBe(
      'postgres://clinical_notes_relay:password-of-clinical_notes_relay@notes/practice',
    );
    expect(new URL(databaseUrl('clients_owner')).hostname).toBe('shared');
  });

  it('use PgBouncer only for requests', () => {
    const settings = readSettings({
      DATABASE_URL: 'postgres://admin@shared/practice',
      DATABASE_POOL_URL: 'postgres://admin@bouncer:6432/practice',
      CLIENTS_DATABASE_URL: 'postgres://admin@clients/practice',
      FINANCE_DATABASE_URL: 'postgres://admin@finance/practice',
      FINANCE_DATABASE_POOL_URL: 'postgres://admin@pool-of-finance:6432/practice',
    });
    const { databaseUrl, requestUrl } = urlsOn(databaseServers(settings, undefined), passwordOf);
    const hostOf = (url: string): string => new URL(url).host;
    expect(['scheduling', 'clients', 'finance'].map((name) => hostOf(requestUrl(named(name))))).toEqual([
      'bouncer:6432',
      'clients',
      'pool-of-finance:6432',
    ]);
    expect(hostOf(databaseUrl('finance_relay'))).toBe('finance');
    expect(hostOf(databaseUrl('scheduling_owner'))).toBe('shared');
  });

  it('refuse a PgBouncer for a service that shares a server', () => {
    const settings = readSettings({ CLIENTS_DATABASE_POOL_URL: 'postgres://admin@bouncer/practice' });
    expect(() => databaseServers(settings, BUILT_IN)).toThrow(/^clients has a DATABASE_POOL_URL of its own/);
  });
});
