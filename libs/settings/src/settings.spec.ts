import { describe, expect, it } from '@jest/globals';
import { SettingError } from './read.js';
import { readServiceSettings, readSettings, settings, settingsFor } from './settings.js';

describe('the settings', () => {
  it('all have a default', () => {
    const values = readSettings({});
    expect(values).toMatchObject({
      PORT: 8000,
      HOST: '127.0.0.1',
      DATA_DIR: '.data',
      LIMIT_READS_PER_MINUTE: 100,
      TRUSTED_PROXIES: [],
      JWT_SECRET: '',
    });
    expect(Object.keys(values)).toEqual(Object.keys(settings));
  });

  it('are converted to their types', () => {
    const environment = { PORT: '0', LOG_LEVEL: 'debug', TRUSTED_PROXIES: '10.0.0.0/8, ::1' };
    expect(readSettings(environment)).toMatchObject({
      PORT: 0,
      LOG_LEVEL: 'debug',
      TRUSTED_PROXIES: ['10.0.0.0/8', '::1'],
    });
  });

  it('treat an empty variable as missing', () => {
    expect(readSettings({ PORT: '' }).PORT).toBe(8000);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '80a'],
    ['LIMIT_READS_PER_MINUTE', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['NATS_URL', 'localhost:4222'],
    ['NATS_URL', 'nats://a:4222,b:4222'],
    ['STREAM_REPLICAS', '2'],
    ['STREAM_REPLICAS', '4'],
    ['STREAM_REPLICAS', '6'],
    ['BASE_URL', 'https://a.example,https://b.example'],
    ['DATABASE_URL', 'postgres://a,b/x'],
    ['ACCESS_TOKEN_TTL_SECONDS', '5'],
    ['JWT_SECRET', 'short'],
    ['TRUSTED_PROXIES', 'proxy'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['ANON_KEY', 'two words'],
    ['SCHEDULING_PROCESSES', '0'],
    ['MAIL_FROM', 'ada'],
    ['REDIS_URL', 'localhost:6379'],
    ['CORS_ORIGINS', 'https://a.example/path'],
    ['CORS_ORIGINS', 'https://A.example'],
  ])('report %s if it is %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name} must be `));
  });

  it('take a comma in a URL, and several URLs of NATS', () => {
    const environment = {
      DATABASE_URL: 'postgres://ada:se,cret@db/x',
      NATS_URL: 'nats://a:4222,nats://b:4222',
    };
    expect(readSettings(environment)).toMatchObject(environment);
  });

  it('report every wrong variable', () => {
    expect(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(SettingError);
    expect(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  it('name the issuer of tokens that another secret or key signs', () => {
    const secret = { JWT_SECRET: 'a secret that another issuer of tokens knows' };
    expect(() => readSettings(secret)).toThrow(/^JWT_ISSUER must be set/);
    expect(readSettings({ ...secret, JWT_ISSUER: 'https://id.example' })).toMatchObject(secret);
  });

  it('show a wrong value, but never a secret', () => {
    expect(() => readSettings({ PORT: '80a' })).toThrow('a whole number from 0 to 65535, not "80a".');
    expect(() => readSettings({ DATABASE_URL: 'mysql://u:hidden@h/x' })).not.toThrow(/hidden/);
  });
});

describe('the settings of a service', () => {
  const CLINICAL_NOTES_DATABASE_URL = 'postgres://a@b/c';

  it('have variables that begin with the name of the service', () => {
    const environment = { CLINICAL_NOTES_DATABASE_URL, DATABASE_URL: 'postgres://d@e/f' };
    const none = { DATABASE_URL: '', DATABASE_POOL_URL: '', DATABASE_REPLICA_URL: '' };
    expect(readServiceSettings('clinical-notes', environment)).toEqual({
      ...none,
      DATABASE_URL: CLINICAL_NOTES_DATABASE_URL,
    });
    expect(readServiceSettings('clients', environment)).toEqual(none);
  });

  it('are reported if they are wrong', () => {
    expect(() => readServiceSettings('clients', { CLIENTS_DATABASE_URL: 'nats://a' })).toThrow(
      /^CLIENTS_DATABASE_URL must be a URL that begins postgres:/,
    );
  });
});

describe('the environment of a process', () => {
  const values = readSettings({ MAX_IN_FLIGHT: '7', TRUSTED_PROXIES: '::1,10.0.0.1', DATA_DIR: 'd' });

  it('has only the variables that its app reads', () => {
    expect(settingsFor('gateway', values)).toMatchObject({
      MAX_IN_FLIGHT: '7',
      LOG_LEVEL: 'info',
      TRUSTED_PROXIES: '::1,10.0.0.1',
    });
    expect(settingsFor('gateway', values)).not.toHaveProperty('DATA_DIR');
    expect(settingsFor('scheduling', values)).toEqual({
      DISK_RESERVE_MB: '256',
      STREAM_MAX_AGE_DAYS: '30',
      STREAM_MAX_MB: '0',
      STREAM_REPLICAS: '1',
      LOG_LEVEL: 'info',
      READ_STATEMENT_MS: '1000',
      SERVICE_TIMEOUT_MS: '3000',
      STORAGE_QUOTA_MB: '10000',
    });
  });

  it('reads back as the same values', () => {
    const { TRUSTED_PROXIES, MAX_IN_FLIGHT } = readSettings(settingsFor('gateway', values));
    expect({ TRUSTED_PROXIES, MAX_IN_FLIGHT }).toEqual({
      TRUSTED_PROXIES: values.TRUSTED_PROXIES,
      MAX_IN_FLIGHT: 7,
    });
  });
});
