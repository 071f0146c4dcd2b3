import { describe, expect, it } from '@jest/globals';
import { catalog, functions } from '@practice/contracts';
import { allSteps } from '@practice/core';
import { limits } from '@practice/query';
import type { RestRequest } from '@practice/query';
import { tableNotFound } from '../http/not-found.js';
import { functionCall, resourcePath, targetOf } from './function-call.js';
import { recordsCall } from './parse.js';

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
    expect(targetOf('/rest/v1/rpc/book')).toEqual({ isFunction: true, name: 'book' });
    expect(targetOf('/rest/v1/rpc')).toEqual({ isFunction: false, name: 'rpc' });
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

describe('a body of 1 MiB', () => {
  const document = `[${'{"a":[]},'.repeat(100_000)}1]`;
  const sent = (resource: string, body: string): RestRequest => ({
    ...{ method: 'POST', resource, query: '', headers: {}, body: Buffer.from(body) },
  });

  it('is parsed in steps', () => {
    expect([...recordsCall(sent('conversation_log', `{"metadata":${document}}`))].length).toBeGreaterThan(
      200,
    );
    expect([...functionCall(sent('erase_client', `{"client_id":${document}}`))].length).toBeGreaterThan(100);
  });

  it('travels to a function as the text that was read, on one line', () => {
    const { body } = allSteps(functionCall(sent('erase_client', '{"client_id": {\n"a":1.50}}')));
    expect(body.split('\n')[1]).toBe('{"client_id":{ "a":1.50}}');
  });

  it('loses no key of a row that a resource or function has', () => {
    const columns = [...catalog.readable.values()].map((one) => Object.keys(one.columns).length);
    const named = [...functions.values()].map((one) => Object.keys(one.arguments).length);
    expect(Math.max(...columns, ...named)).toBeLessThan(limits.rowKeys);
  });
});
