import { describe, expect, it } from '@jest/globals';
import { createClient } from '@supabase/supabase-js';
import { WebSocket } from 'ws';
import { catalog } from '@practice/contracts';
import { call, newPractice, stack } from '@practice/testing';
import { described } from './described.js';

const { baseUrl, apikey } = stack();

describe('the root', () => {
  it('is the Swagger document that supabase-js reads before anyone has signed in', async () => {
    const { data, error } = await createClient(baseUrl, apikey, {
      auth: { persistSession: false },
      realtime: { transport: WebSocket as never },
    }).getOpenApiSpec();
    expect(error).toBeNull();
    expect(data).toMatchObject({
      swagger: '2.0',
      basePath: '/rest/v1',
      paths: { '/clients': { get: {}, post: {}, patch: {}, delete: {} } },
      definitions: { clients: { type: 'object', required: expect.arrayContaining(['id', 'status']) } },
      parameters: { 'rowFilter.clients.id': {}, 'body.clients': {}, select: {}, preferCount: {} },
    });
  });

  it.each([undefined, 'application/openapi+json', 'application/json', '*/*', 'text/html,*/*;q=0.1'])(
    'answers Accept: %s',
    async (accept) => {
      const answer = await call('/rest/v1/', { headers: accept === undefined ? {} : { accept } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8');
    },
  );

  it('is also served without a trailing slash, for HEAD, and for a user', async () => {
    expect(await call('/rest/v1')).toMatchObject({ status: 200 });
    const head = await call('/rest/v1/', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(10_000);
    expect(await (await newPractice()).rest('')).toMatchObject({ status: 200 });
  });

  it.each(['', 'openapi.json'])('reports its methods: /rest/v1/%s', async (path) => {
    const options = await call(`/rest/v1/${path}`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([200, 'OPTIONS,GET,HEAD']);
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE']) {
      const answer = await call(`/rest/v1/${path}`, { method, body: {} });
      expect(answer).toMatchObject({ status: 405, json: { code: 'PGRST117' } });
      expect(answer.headers.get('allow')).toBe('OPTIONS,GET,HEAD');
    }
  });

  it('refuses other formats, other schemas, and callers without the key', async () => {
    expect(await call('/rest/v1/', { headers: { accept: 'text/csv' } })).toMatchObject({
      status: 406,
      json: { code: 'PGRST107', message: 'None of these media types are available: text/csv' },
    });
    expect(await call('/rest/v1/', { headers: { 'accept-profile': 'private' } })).toMatchObject({
      status: 406,
      json: { code: 'PGRST106' },
    });
    for (const path of ['', 'openapi.json'])
      expect((await fetch(`${baseUrl}/rest/v1/${path}`)).status).toBe(401);
  });

  it('differs from the response of a resource', async () => {
    const practice = await newPractice();
    const headers = { accept: 'application/openapi+json' };
    expect(await practice.rest('clients', { headers })).toMatchObject({
      status: 406,
      json: { code: 'PGRST107' },
    });
  });
});

describe('the OpenAPI document', () => {
  const methods = ['get', 'head', 'post', 'patch', 'put', 'delete'];

  it('has exactly the methods that each resource takes', async () => {
    const { document } = await described();
    const practice = await newPractice();
    for (const name of catalog.resources.keys()) {
      const taken: string[] = [];
      for (const method of methods) {
        const hasBody = ['post', 'patch', 'put'].includes(method);
        const answer = await practice.rest(`${name}?id=is.null`, {
          method: method.toUpperCase(),
          ...(hasBody && { body: [] }),
        });
        if (answer.headers.get('proxy-status') !== 'PostgREST; error=PGRST117') taken.push(method);
      }
      expect([name, Object.keys(document.paths[`/rest/v1/${name}`] ?? {}).sort()]).toEqual([
        name,
        taken.sort(),
      ]);
    }
  });

  it('contains no call that the gateway does not answer', async () => {
    const { document } = await described();
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const method of Object.keys(operations)) {
        const { status, text } = await call(path.replace(/\{\w+\}/g, '1'), { method: method.toUpperCase() });
        // A 404 for an archive that does not exist does not mean that the path is unknown.
        const isThere = (status !== 404 && status !== 405) || text.includes('"code":"PM404"');
        expect({ method, path, isThere }).toEqual({
          method,
          path,
          isThere: true,
        });
      }
    }
  });
});
