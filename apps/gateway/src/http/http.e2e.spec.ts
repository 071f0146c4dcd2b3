import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, newPractice, stack } from '@practice/testing';
import type { Practice } from '@practice/testing';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Bytes as they are, to see what comes back for what no client would send. */
function raw(bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(stack().baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes)));
    let text = '';
    socket.setTimeout(10_000, () => socket.destroy(new Error(`no answer but ${JSON.stringify(text)}`)));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => {
      const [headers = '', body = ''] = text.split('\r\n\r\n');
      resolve({ status: Number(headers.split(' ')[1]), headers, body });
    });
  });
}

function request(line: string, headers: readonly string[] = [], body = ''): string {
  const all = [
    'Host: x',
    'Connection: close',
    `apikey: ${stack().apikey}`,
    `Authorization: Bearer ${practice.token}`,
  ];
  return `${line} HTTP/1.1\r\n${[...all, ...headers].join('\r\n')}\r\n\r\n${body}`;
}

describe('what is not valid HTTP', () => {
  it.each<[string, () => string, number]>([
    ['no request at all', () => 'hello\r\n\r\n', 400],
    ['an unknown method', () => request('FETCH /rest/v1/appointments'), 400],
    ['a NUL in a header', () => request('GET /rest/v1/appointments', ['X-Name: a\u0000b']), 400],
    ['no Host', () => 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    [
      'two lengths',
      () => request('POST /rest/v1/appointments', ['Content-Length: 2', 'Content-Length: 3'], '{}'),
      400,
    ],
    ['a length that is none', () => request('POST /rest/v1/appointments', ['Content-Length: x'], '{}'), 400],
    [
      'a length and chunks',
      () => request('POST /rest/v1/appointments', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '{}'),
      400,
    ],
    [
      'chunks that are none',
      () => request('POST /rest/v1/appointments', ['Transfer-Encoding: chunked'], 'zz\r\n'),
      400,
    ],
    ['headers of 80 KB', () => request('GET /rest/v1/appointments', [`X-Name: ${'a'.repeat(80_000)}`]), 431],
    ['a URL of 80 KB', () => request(`GET /rest/v1/appointments?x=${'a'.repeat(80_000)}`), 414],
    ['a URL of 17 KB', () => request(`GET /rest/v1/appointments?x=${'a'.repeat(17_000)}`), 414],
    ['bytes that should have been escaped', () => request('GET /rest/v1/appointments?notes=eq.é'), 400],
    ['half an escape in the path', () => request('GET /rest/v1/%E0%A4%A'), 400],
    ['bytes of no encoding in the path', () => request('GET /rest/v1/%ff%fe'), 400],
    ['an expectation', () => request('GET /rest/v1/appointments', ['Expect: miracles']), 417],
    [
      'a body of more than 1 MiB',
      () => request('POST /rest/v1/appointments', ['Content-Length: 1048577'], 'x'.repeat(1_048_577)),
      413,
    ],
  ])('is answered: %s', async (_what, bytes, status) => {
    const code = `PM${status}`;
    const answer = await raw(bytes());
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ code, message: expect.any(String), details: null, hint: null });
    expect(answer.headers).toMatch(/^x-request-id: [\w-]{36}$/im);
    expect(answer.headers).toMatch(/^api-version: 1$/im);
    expect(answer.headers).toContain(`error=${code}`);
  });

  it('says the same of a token that is given in two headers as of one that is none', async () => {
    const twice = await raw(
      request('GET /rest/v1/appointments', [`Authorization: Bearer ${practice.token}`]),
    );
    expect(twice.status).toBe(401);
  });

  it('leaves room for a URL of 16 KiB and a body of 1 MiB', async () => {
    const ids = `select=${'id,'.repeat(20)}id&id=in.(${'x'.repeat(16_000)})`;
    expect((await raw(request(`GET /rest/v1/appointments?${ids}`))).status).toBe(400);
    const some = Array.from({ length: 400 }, () => randomUUID()).join();
    expect((await practice.rest(`appointments?id=in.(${some})`)).status).toBe(200);
    const body = JSON.stringify({ notes: 'x'.repeat(1_048_576 - 12) });
    const answer = await practice.rest('appointments', { method: 'POST', body });
    expect([400, 413]).toContain(answer.status);
    expect(answer.json).not.toMatchObject({ code: 'PM413' });
  });
});

describe('the paths', () => {
  it.each([
    ['appointment', 404, 'PGRST205'],
    ['appointments/', 404, 'PGRST125'],
    ['appointments/1', 404, 'PGRST125'],
    ['a/b/c', 404, 'PGRST125'],
    ['rpc/book', 404, 'PGRST202'],
    ['rpc/', 404, 'PGRST125'],
  ])('/rest/v1/%s', async (path, status, code) => {
    const answer = await practice.rest(path);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ code });
    expect(answer.headers.get('proxy-status')).toBe(`PostgREST; error=${code}`);
  });

  it('beside the API are nobody’s', async () => {
    for (const path of [
      '/',
      '/rest',
      '/rest/v2/appointments',
      '/auth/v1/nothing',
      '/.env',
      '/REST/v1/appointments',
    ])
      expect([path, (await call(path)).status]).toEqual([path, 404]);
  });

  it.each(['PROPFIND', 'SEARCH', 'LOCK', 'PURGE', 'REPORT', 'LINK'])('have no method %s', async (method) => {
    const answer = await practice.rest('appointments', { method });
    expect(answer.status).toBe(405);
    expect(answer.json).toMatchObject({ code: 'PGRST117', message: `Unsupported HTTP method: ${method}` });
    expect(answer.headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE');
  });

  it('have fewer methods where there is less to do', async () => {
    expect(await practice.rest('', { method: 'POST' })).toMatchObject({
      status: 405,
      json: { code: 'PGRST117' },
    });
    const rpc = await practice.rest('rpc/book', { method: 'DELETE' });
    expect(rpc).toMatchObject({ status: 405, json: { code: 'PGRST101' } });
  });

  it('name the arguments of a function there isn’t', async () => {
    const posted = await practice.rest('rpc/book', { method: 'POST', body: { b: 1, a: 2 } });
    expect(posted.json).toMatchObject({
      message: 'Could not find the function public.book(a, b) in the schema cache',
    });
  });

  it('may be read without a body', async () => {
    const head = await practice.rest('appointments', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    const missing = await practice.rest('nothing', { method: 'HEAD' });
    expect(missing).toMatchObject({ status: 404, text: '' });
  });
});

describe('every answer', () => {
  it('has the caller’s request id, if it is a sane one', async () => {
    const idFor = async (given: string) =>
      (await practice.rest('appointments', { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idFor('caller-1.2_3')).toBe('caller-1.2_3');
    expect(await idFor('a b')).toMatch(/^[\da-f-]{36}$/);
    expect(await idFor('x'.repeat(129))).toMatch(/^[\da-f-]{36}$/);
  });

  it('is of version 1, and not to be sniffed or kept', async () => {
    const answers = [await practice.rest('appointments'), await call('/x'), await call('/auth/v1/user')];
    for (const { headers } of answers) {
      expect(headers.get('api-version')).toBe('1');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('can be read by a page of another origin', async () => {
    const { headers } = await practice.rest('appointments', { headers: { origin: 'https://app.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toContain('Content-Range');
    const refused = await call('/rest/v1/appointments', {
      headers: { origin: 'https://app.example', apikey: '' },
    });
    expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('OPTIONS', () => {
  const options = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${stack().baseUrl}${path}`, { method: 'OPTIONS', headers });

  it('lets a browser send what supabase-js sends, before there is a key', async () => {
    const answer = await options('/rest/v1/appointments', {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey,authorization,prefer,x-supabase-api-version',
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toBe(
      'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD',
    );
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'Authorization, apikey, authorization, prefer, x-supabase-api-version, Accept, Accept-Language, Content-Language',
    );
    expect(answer.headers.get('access-control-max-age')).toBe('86400');
  });

  it('tells the methods of a resource and of the root', async () => {
    const resource = await options('/rest/v1/appointments');
    expect([resource.status, resource.headers.get('allow')]).toEqual([
      200,
      'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
    ]);
    const log = await options('/rest/v1/conversation_log');
    expect(log.headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST');
    for (const headers of [{}, { origin: 'https://app.example' }])
      expect((await options('/rest/v1/clients', headers)).headers.get('access-control-allow-origin')).toBe(
        '*',
      );
    expect((await options('/rest/v1/')).headers.get('allow')).toBe('OPTIONS,GET,HEAD');
    expect((await options('/rest/v1/nothing')).status).toBe(404);
  });
});

describe('the log', () => {
  it('has a line for each request, and nothing of what was said in it', async () => {
    const id = randomUUID();
    const headers = { 'x-request-id': id };
    await practice.rest('appointments?client_name=eq.Secretname', { headers });
    await call('/auth/v1/signup', { method: 'POST', body: { email: 'x', password: 'Secretword' }, headers });
    const written = (): string => readFileSync(join(stack().dataDir, 'logs', 'gateway.log'), 'utf8');
    await eventually('both lines are written', () => written().split(id).length > 2);
    const log = written();
    const lines = log.split('\n').filter((line) => line.includes(id));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        method: 'GET',
        path: '/rest/v1/appointments',
        status: 200,
        ms: expect.any(Number),
      }),
      expect.objectContaining({ method: 'POST', path: '/auth/v1/signup', status: 400 }),
    ]);
    for (const secret of ['Secret', practice.token, practice.email, practice.password, stack().apikey])
      expect(log.includes(secret)).toBe(false);
  });
});

describe('health', () => {
  it('is told to anyone', async () => {
    for (const path of ['/livez', '/readyz'])
      expect(await call(path, { headers: { apikey: '' } })).toMatchObject({
        status: 200,
        json: { status: 'ok' },
      });
  });
});
