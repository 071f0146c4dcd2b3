// Compares the responses of calls that are not about one resource with the OpenAPI document.

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from '@jest/globals';
import { call, make, newPractice, patch, patient, rowsOf } from '@practice/testing';
import type { Answer, Call, Practice } from '@practice/testing';
import { described, type Described } from './described.js';

let api: Described;
let practice: Practice;

beforeAll(async () => {
  [api, practice] = await Promise.all([described(), newPractice()]);
});

interface Asked extends Call {
  readonly query?: string;
  /** The parameter in the path. */
  readonly of?: string;
}

/** Calls a path of the document, and compares the response with the description. */
async function ask(status: number, path: string, { query = '', of = '', ...given }: Asked = {}) {
  const answer = await patient(() => call(`${path.replace(/\{\w+\}/, of)}${query}`, given));
  expect([path, answer.status, answer.status === status ? '' : answer.text]).toEqual([path, status, '']);
  expect([path, api.faults(given.method ?? 'GET', path, answer)]).toEqual([path, []]);
  return answer;
}

/** Calls a function, and compares its arguments and its rows with the schemas. */
async function callFunction(status: number, name: string, body: object): Promise<Answer> {
  expect(api.misfits(`rpc.${name}.arguments`, body)).toEqual([]);
  const headers = { authorization: `Bearer ${practice.token}` };
  const answer = await ask(status, `/rest/v1/rpc/${name}`, { method: 'POST', headers, body });
  for (const row of [answer.json].flat()) expect(api.misfits(`rpc.${name}.result`, row)).toEqual([]);
  return answer;
}

it('describes the bodies and the refusals of the OAuth protocol', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const wrong = `client_id=${randomUUID()}&client_secret=x&grant_type=refresh_token&refresh_token=x&token=x`;
  for (const name of ['token', 'introspect', 'revoke', 'device_authorization']) {
    const path = `/auth/v1/oauth/${name}`;
    const { requestBody } = api.document.paths[path]?.['post'] as { requestBody?: { content: object } };
    expect([path, Object.keys(requestBody?.content ?? {})]).toEqual([path, [form['content-type']]]);
    await ask(400, path, { method: 'POST', headers: form, body: 'a=b' });
    await ask(401, path, { method: 'POST', headers: form, body: wrong });
  }
  await ask(400, '/auth/v1/oauth/authorize');
  await ask(200, '/auth/v1/oauth/userinfo', { headers: { authorization: `Bearer ${practice.token}` } });
});

it('describes the refusal of an unknown code', async () => {
  const body = { auth_code: 'x', code_verifier: 'x' };
  await ask(404, '/auth/v1/token', { method: 'POST', query: '?grant_type=pkce', body });
});

it('describes the refusals of events, broadcasts and links', async () => {
  const headers = { authorization: `Bearer ${practice.token}` };
  await ask(200, '/events/v1', { headers });
  await ask(400, '/events/v1', { headers, query: '?cursor=x' });
  await ask(401, '/events/v1');
  await ask(400, '/realtime/v1/api/broadcast', { method: 'POST', headers, body: {} });
  await ask(404, '/exports/v1/{id}', { of: 'x' });
  await ask(404, '/calendar/v1/{file}', { of: 'x.ics' });
});

it('describes the access log, batches, and an undo that failed in one service', async () => {
  const started = new Date().toISOString();
  const { id: client_id } = await make(practice, 'clients', { name: 'Ada' });
  const { id: session_id } = await make(practice, 'sessions', { client_id, subjective: 'Slept well.' });
  await rowsOf(practice, `sessions?id=eq.${session_id}`);
  const rows = await rowsOf<object>(practice, 'access_log');
  expect(rows).not.toEqual([]);
  for (const row of rows) expect(api.misfits('access_log', row)).toEqual([]);
  const expense = { date: '2026-01-02', amount: 1, category: 'rent' };
  const operations = [
    { path: 'clients', body: { name: 'Grace' } },
    { path: 'expenses', body: expense },
  ];
  const { headers } = await callFunction(200, 'batch', { operations });
  expect(headers.get('change-id')).toMatch(/^clients:\d+, finance:\d+$/);
  await callFunction(200, 'sign_note', { session_id, meaning: 'authorship' });
  const { json: me } = await call('/auth/v1/user', {
    headers: { authorization: `Bearer ${practice.token}` },
  });
  await callFunction(207, 'undo', { actor_id: (me as { id: string }).id, since: started });
});

it('describes the undo of a record that has another version than If-Match names', async () => {
  const made = await practice.rest('clients', { method: 'POST', body: { name: 'Ada' } });
  const headers = { authorization: `Bearer ${practice.token}`, 'if-match': '"99"' };
  const body = { change_id: made.headers.get('change-id') };
  await ask(412, '/rest/v1/rpc/undo', { method: 'POST', headers, body });
  const { parameters } = api.document.paths['/rest/v1/rpc/undo']?.['post'] as { parameters?: object[] };
  expect(parameters).toContainEqual({ $ref: '#/components/parameters/If-Match' });
});

it('describes the refusal of a token for a closed practice', async () => {
  const own = await newPractice();
  const headers = { authorization: `Bearer ${own.token}` };
  const name = 'Calm Harbour';
  await patch(own, 'practices', { id: own.therapistId, name });
  const closed = await own.rest('rpc/close_practice', { method: 'POST', body: { name } });
  expect([closed.status, closed.text]).toEqual([200, expect.any(String)]);
  await ask(409, '/auth/v1/tokens', { method: 'POST', headers, body: { name: 'script' } });
});
