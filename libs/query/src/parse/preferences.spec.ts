import { describe, expect, it } from '@jest/globals';
import { parsePreferences } from './preferences.js';

describe('the Prefer header', () => {
  it.each([
    ['timezone=Europe/Berlin', 'Europe/Berlin', []],
    ['timezone=America/Port_of_Spain', 'America/Port_of_Spain', []],
    ['timezone=Etc/GMT+5', 'Etc/GMT+5', []],
    ['timezone=UTC', 'UTC', []],
    ['timezone=+02:00', null, ['timezone=+02:00']],
    ['timezone=UTC+2', null, ['timezone=UTC+2']],
    ['timezone=5', null, ['timezone=5']],
    ['timezone=EST5EDT', 'EST5EDT', []],
    // Only an abbreviation: Postgres and Temporal do not know it as a zone.
    ['timezone=PST', null, ['timezone=PST']],
    ['timezone=', null, ['timezone=']],
    ['timezone=Europe/Nowhere', null, ['timezone=Europe/Nowhere']],
    ['timezone=europe/berlin', null, ['timezone=europe/berlin']],
    ['timezone=UTC, timezone=Europe/Berlin', 'UTC', []],
    ['timezone=5, timezone=UTC', null, ['timezone=5', 'timezone=UTC']],
  ])('has only time zones from the database: %s', (header, timezone, unknown) => {
    expect(parsePreferences(header)).toMatchObject({ timezone, unknown });
  });

  it.each([
    ['max-affected=5', 5],
    ['max-affected=0', 0],
    ['max-affected=-1', -1],
    ['max-affected=1e3', null],
    ['max-affected=', null],
    ['max-affected=x, max-affected=5', null],
    ['max-affected=1, max-affected=5', 1],
  ])('has only an integer as a bound: %s', (header, maxAffected) => {
    expect(parsePreferences(header)).toMatchObject({ maxAffected, unknown: [] });
  });

  it('takes the first of several values, and reports unknown tokens', () => {
    expect(parsePreferences(' count=exact,count=planned ,, Return=minimal,return=minimal')).toMatchObject({
      count: 'exact',
      return: 'minimal',
      unknown: ['Return=minimal'],
    });
  });
});
