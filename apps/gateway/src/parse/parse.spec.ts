import { describe, expect, it } from '@jest/globals';
import { tableNotFound } from '../http/not-found.js';
import { resourcePath, targetOf } from './function-call.js';

describe('the path of a resource', () => {
  it.each([
    ['/rest/v1/appointments', 'appointments'],
    ['/rest/v1/', ''],
    ['/rest/v1', ''],
    ['/rest/v1/clients/', 'clients/'],
    ['/rest/v1/a/b', 'a/b'],
    ['/rest/v1/app%6Fintments', 'appointments'],
    ['/rest/v1/a%2Fb', 'a/b'],
    ['/rest/v1/%zz', '%zz'],
  ])('%s names %j', (path, resource) => expect(resourcePath(path)).toBe(resource));

  it('can name a function', () => {
    expect(targetOf('/rest/v1/rpc/book')).toEqual({ kind: 'function', name: 'book' });
    expect(targetOf('/rest/v1/rpc')).toEqual({ kind: 'resource', name: 'rpc' });
  });

  it.each(['/rest/v1/a/b', '/rest/v1/clients/', '/rest/v1/rpc/', '/rest/v1/rpc/a/b', '/rest/v1/a%2Fb'])(
    '%s is invalid',
    (path) => expect(() => targetOf(path)).toThrow('PGRST125'),
  );
});

describe('an unknown resource', () => {
  it.each([
    ['appointment', "Perhaps you meant the table 'public.appointments'"],
    ['Appointments', "Perhaps you meant the table 'public.appointments'"],
    ['busines_hours', "Perhaps you meant the table 'public.business_hours'"],
    ['sessioxx', "Perhaps you meant the table 'public.sessions'"],
    ['sessixxx', null],
    ['cleints', "Perhaps you meant the table 'public.clients'"],
    ['people', null],
    ['x', null],
    ['a'.repeat(5000), null],
  ])('%s has the hint %j', (name, hint) =>
    expect(tableNotFound(name)).toMatchObject({ status: 404, code: 'PGRST205', hint }),
  );
});
