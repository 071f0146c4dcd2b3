import { describe, expect, it } from '@jest/globals';
import { functionNotFound, tableNotFound } from './not-found.js';
import { responseOf } from './reply.js';
import { resourcePath, withoutApiKey } from './resource-path.js';

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
});

describe('a query on its way to a service', () => {
  it.each([
    ['', ''],
    ['select=id&apikey=x', 'select=id'],
    ['apikey=x', ''],
    ['apikey=x&apikey=y&a=eq.1', 'a=eq.1'],
    ['notes=eq.apikey=x', 'notes=eq.apikey=x'],
    ['a=eq.%26apikey', 'a=eq.%26apikey'],
  ])('%j goes as %j', (query, forwarded) => expect(withoutApiKey(query)).toBe(forwarded));
});

describe('a name that is no resource', () => {
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

  it('may be a function, with the names of its arguments', () => {
    expect(functionNotFound('f', { parameters: ['b', 'a'] }).message).toBe(
      'Could not find the function public.f(a, b) in the schema cache',
    );
    expect(functionNotFound('f', { parameters: [] }).message).toBe(
      'Could not find the function public.f without parameters in the schema cache',
    );
  });
});

describe('the reply of a service', () => {
  it('goes out as it is', () => {
    const reply = { status: 200, headers: { 'Content-Type': 'application/json' }, body: Buffer.from('[]') };
    expect(responseOf(reply)).toBe(reply);
  });

  it('says which error it is to proxies too', () => {
    const body = Buffer.from('{"code":"PGRST100","message":"…","details":null,"hint":null}');
    expect(responseOf({ status: 400, headers: { a: 'b' }, body }).headers).toEqual({
      a: 'b',
      'Proxy-Status': 'PostgREST; error=PGRST100',
    });
  });
});
