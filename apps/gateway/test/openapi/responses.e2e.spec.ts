// Compares the responses of every resource with the OpenAPI document. Records are made from definitions, so new resources are tested too.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { catalog } from '@practice/contracts';
import { methodsOf, visibleColumns } from '@practice/resource';
import { call, newPractice, patient, stack } from '@practice/testing';
import type { Answer, Call, Made, Practice } from '@practice/testing';
import { inOrder, rowOf } from '../isolation/rows.js';
import { furtherRecords } from '../isolation/ruled-rows.js';
import { described, type Described } from './described.js';

const resources = inOrder().filter((resource) => methodsOf(resource).includes('POST'));
const mark = 'Ada, “the first”';
const returned = { prefer: 'return=representation' };

let api: Described;
let practice: Practice;
const ids: Record<string, readonly string[]> = {};

beforeAll(async () => {
  [api, practice] = await Promise.all([described(), newPractice()]);
});

/** Calls a resource, and compares the response with the description. */
async function ask(
  status: number,
  resource: string,
  { query = '', ...given }: Call & { query?: string } = {},
): Promise<Answer> {
  const answer = await patient(() => practice.rest(`${resource}${query}`, given));
  const method = given.method ?? 'GET';
  expect({ method, query, status: answer.status, text: answer.status === status ? '' : answer.text }).toEqual(
    { method, query, status, text: '' },
  );
  expect(api.faults(method, `/rest/v1/${resource}`, answer)).toEqual([]);
  return answer;
}

describe.each(resources.map((resource) => [resource.name, resource] as const))(
  'answers about %s',
  (name, resource) => {
    const isKept = resource.appendOnly === true;
    const columns = visibleColumns(resource).map(([column]) => column);
    const one = (): string => `?id=eq.${ids[name]?.[0]}`;
    const body = () => rowOf(resource, 0, { ids, mark });

    it('are as described when records are created', async () => {
      expect(api.misfits(`${name}.insert`, body())).toEqual([]);
      const { json } = await ask(201, name, {
        method: 'POST',
        body: body(),
        headers: { ...returned, 'idempotency-key': randomUUID() },
      });
      const [made] = json as [Made];
      ids[name] = [made.id];
      Object.assign(ids, await furtherRecords(practice, name, ids));
      expect(Object.keys(made)).toEqual(columns);
      expect(api.misfits(name, made)).toEqual([]);
      await ask(201, name, { method: 'POST', body: [], headers: returned });
      const merging = { prefer: 'resolution=merge-duplicates' };
      await ask(isKept ? 405 : 200, name, { method: 'POST', body: [], headers: merging });
    });

    it('are as described when records are read', async () => {
      const { json } = await ask(200, name);
      for (const row of json as Made[]) {
        expect(Object.keys(row)).toEqual(columns);
        expect(api.misfits(name, row)).toEqual([]);
      }
      const { headers } = await ask(200, name, { query: one() });
      // Some resources have columns that change without a new version.
      const known = { 'if-none-match': headers.get('etag') ?? '' };
      await ask(304, name, { query: `${one()}&select=id`, headers: known });
      await ask(200, name, { method: 'HEAD', headers: { prefer: 'count=exact' } });
      await ask(206, name, { query: '?limit=0', headers: { prefer: 'count=exact' } });
      for (const accept of [
        'text/csv',
        'application/vnd.pgrst.object+json',
        'application/vnd.pgrst.object+json;nulls=stripped',
        'application/vnd.pgrst.array+json;nulls=stripped',
      ])
        await ask(200, name, { query: one(), headers: { accept } });
      const related = catalog.relations.flatMap(({ from, to }) =>
        from === name ? [to] : to === name ? [from] : [],
      );
      await ask(200, name, {
        query: `?select=${['key:id', 'created_at::text', ...related.map((other) => `${other}(*)`)].join()}`,
      });
      await ask(200, name, { query: '?select=count()' });
    });

    it('are as described when requests are refused', async () => {
      await ask(400, name, { query: '?no=eq.1' });
      await ask(400, name, { query: '?id=eq.x' });
      await ask(404, name, { query: '?id=like.x' });
      await ask(403, name, { query: `?therapist_id=eq.${randomUUID()}` });
      await ask(416, name, { query: '?offset=9', headers: { prefer: 'count=exact' } });
      await ask(406, name, { headers: { accept: 'image/png' } });
      await ask(406, name, {
        query: '?id=is.null',
        headers: { accept: 'application/vnd.pgrst.object+json' },
      });
      await ask(401, name, { headers: { authorization: 'Bearer x' } });
      await ask(401, name, { headers: { apikey: 'x' } });
      await ask(400, name, { method: 'HEAD', query: '?no=eq.1' });
      await ask(400, name, { method: 'POST', body: '{' });
      await ask(409, name, { method: 'POST', body: { ...body(), id: ids[name]?.[0] } });
      await ask(413, name, { method: 'POST', body: JSON.stringify([...Array(1001)].map(body)) });
      for (const required of api.document.components['schemas']?.[`${name}.insert`] ? requiredOf(name) : []) {
        const { [required]: _left, ...rest } = body();
        expect([required, api.misfits(`${name}.insert`, rest)]).not.toEqual([required, []]);
        await ask(400, name, { method: 'POST', body: rest });
      }
    });

    it('are as described when records are changed, put and deleted', async () => {
      if (isKept) {
        for (const method of ['PATCH', 'PUT', 'DELETE']) {
          const answer = await practice.rest(`${name}${one()}`, { method, body: {} });
          expect([
            method,
            answer.status,
            api.document.paths[`/rest/v1/${name}`]?.[method.toLowerCase()],
          ]).toEqual([method, 405, undefined]);
        }
        return;
      }
      await ask(200, name, { method: 'PATCH', query: one(), body: body(), headers: returned });
      await ask(204, name, { method: 'PATCH', query: one(), body: body() });
      await ask(412, name, { method: 'PATCH', query: one(), body: body(), headers: { 'if-match': '"99"' } });
      await ask(400, name, { method: 'PATCH', body: body() });
      await ask(400, name, { method: 'DELETE' });
      await ask(405, name, { method: 'PUT', body: body() });
      const put = { method: 'PUT', query: one(), body: { ...body(), id: ids[name]?.[0] } };
      await ask(204, name, put);
      await ask(200, name, { ...put, headers: returned });
      const old = { ...put.body, updated_at: '2000-01-01T00:00:00Z' };
      await ask(412, name, { ...put, body: old });
      const merging = { prefer: 'resolution=merge-duplicates' };
      await ask(412, name, { method: 'POST', body: old, headers: merging });
      const strict = { prefer: 'handling=strict, min-affected=1' };
      await ask(404, name, { method: 'DELETE', query: `?id=eq.${randomUUID()}`, headers: strict });
      await ask(200, name, { method: 'DELETE', query: `?id=eq.${randomUUID()}`, headers: returned });
      await ask(204, name, { method: 'DELETE', query: `?id=eq.${randomUUID()}` });
    });

    function requiredOf(resourceName: string): string[] {
      return (api.document.components['schemas']?.[`${resourceName}.insert`] as { required: string[] })
        .required;
    }
  },
);

describe('answers about accounts', () => {
  const path = (name: string): string => `/auth/v1/${name}`;

  /** Calls the auth API, and compares the response with the description. */
  async function askAuth(
    status: number,
    name: string,
    { query = '', id = '', ...given }: Call & { query?: string; id?: string } = {},
  ): Promise<Answer> {
    const answer = await patient(() => call(`${path(name).replace('{id}', id)}${query}`, given));
    expect([name, answer.status, answer.status === status ? '' : answer.text]).toEqual([name, status, '']);
    expect(api.faults(given.method ?? 'GET', path(name), answer)).toEqual([]);
    return answer;
  }

  it('are as described', async () => {
    const credentials = { email: `described-${randomUUID()}@example.com`, password: randomUUID() };
    const post = { method: 'POST', body: credentials };
    await askAuth(200, 'signup', post);
    await askAuth(422, 'signup', post);
    await askAuth(400, 'signup', { method: 'POST', body: { email: 'x' } });
    const { json } = await askAuth(200, 'token', { ...post, query: '?grant_type=password' });
    const { access_token: token, refresh_token: refresh } = json as Record<string, string>;
    const cookies = { prefer: 'session=cookie' };
    await askAuth(200, 'token', { ...post, query: '?grant_type=password', headers: cookies });
    await askAuth(400, 'token', {
      ...post,
      query: '?grant_type=password',
      body: { ...credentials, password: 'x' },
    });
    await askAuth(400, 'token', {
      method: 'POST',
      query: '?grant_type=refresh_token',
      body: {},
      headers: { 'x-supabase-api-version': '2024-01-01' },
    });
    await askAuth(200, 'token', {
      method: 'POST',
      query: '?grant_type=refresh_token',
      body: { refresh_token: refresh },
    });
    const authorization = `Bearer ${token}`;
    await askAuth(200, 'user', { headers: { authorization } });
    const change = { method: 'PUT', headers: { authorization } };
    await askAuth(200, 'user', { ...change, body: { data: { practice: 'Ada' } } });
    await askAuth(422, 'user', { ...change, body: { password: 'short' } });
    await askAuth(200, 'recover', { method: 'POST', body: { email: 'nobody@example.com' } });
    await askAuth(403, 'verify', { method: 'POST', body: { type: 'recovery', token_hash: 'x' } });
    const asUser = { headers: { authorization } };
    const newToken = { method: 'POST', body: { name: 'script' }, ...asUser };
    const made = await askAuth(201, 'tokens', newToken);
    await askAuth(200, 'tokens', asUser);
    await askAuth(400, 'tokens', { ...newToken, body: {} });
    const { id } = made.json as { id: string };
    await askAuth(204, 'tokens/{id}', { method: 'DELETE', ...asUser, id });
    await askAuth(404, 'tokens/{id}', { method: 'DELETE', ...asUser, id });
    await askAuth(401, 'user');
    await askAuth(401, 'user', { headers: { apikey: 'x' } });
    await askAuth(403, 'user', { headers: { authorization: 'Bearer x' } });
    const asked = { headers: { authorization } };
    await askAuth(200, 'reauthenticate', asked);
    await askAuth(429, 'reauthenticate', asked);
    await askAuth(400, 'token', { method: 'POST', query: '?grant_type=pkce', body: { auth_code: 'x' } });
    await askAuth(204, 'logout', { method: 'POST', query: '?scope=local', headers: { authorization } });
    await askAuth(200, '.well-known/jwks.json');
    await askAuth(200, 'settings');
    await askAuth(200, 'health');
  });

  it('are as described for the link of a mail', async () => {
    const link = new URL('/auth/v1/verify?type=recovery&token=x', stack().baseUrl);
    for (const [method, status] of [
      ['GET', 303],
      ['HEAD', 303],
    ] as const) {
      const { status: answered, headers } = await fetch(link, { method, redirect: 'manual' });
      expect([method, answered]).toEqual([method, status]);
      expect(api.faults('GET', path('verify'), { status, headers, text: '', json: undefined })).toEqual([]);
    }
  });
});
