import { describe, expect, it } from '@jest/globals';
import { readSettings, variables } from './dev.config.js';
import { Failure } from './failure.js';

describe('the environment', () => {
  it('may be empty: every variable has a default', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({
      PORT: 8000,
      HOST: '127.0.0.1',
      DATA_DIR: '.data',
      LIMIT_READS_PER_MINUTE: 100,
    });
    expect(Object.keys(settings)).toEqual(Object.keys(variables));
  });

  it('is read by what each variable means', () => {
    expect(readSettings({ PORT: '0', LIMIT_WRITES_PER_MINUTE: '0', LOG_LEVEL: 'debug' })).toMatchObject({
      PORT: 0,
      LIMIT_WRITES_PER_MINUTE: 0,
      LOG_LEVEL: 'debug',
    });
  });

  it('takes an empty variable for an absent one', () => {
    expect(readSettings({ PORT: '' }).PORT).toBe(8000);
  });

  it.each([
    ['PORT', '70000'],
    ['PORT', '80a'],
    ['LIMIT_READS_PER_MINUTE', '-1'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['NATS_URL', 'localhost:4222'],
    ['ACCESS_TOKEN_TTL_SECONDS', '5'],
    ['JWT_SECRET', 'short'],
    ['TRUSTED_PROXIES', 'proxy'],
    ['ANON_KEY', 'two words'],
    ['SCHEDULING_PROCESSES', '0'],
    ['MAIL_FROM', 'nobody'],
    ['REDIS_URL', 'localhost:6379'],
    ['CORS_ORIGINS', 'https://a.example/path'],
  ])('names %s when it holds %s', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`^${name}`));
  });

  it('names every wrong variable at once', () => {
    expect(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(Failure);
    expect(() => readSettings({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/PORT[^]*LOG_LEVEL/);
  });

  it('does not repeat a secret that is wrong', () => {
    expect(() => readSettings({ DATABASE_URL: 'mysql://u:hidden@h/x' })).not.toThrow(/hidden/);
  });
});
