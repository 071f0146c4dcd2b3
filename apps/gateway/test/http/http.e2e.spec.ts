import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, logOf, newPractice, stack, type Practice } from '@practice/testing';

let practice: Practice;
beforeAll(async () => {
  practice = await newPractice();
});

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** Sends raw bytes, because no HTTP client would send these requests. */
function raw(bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(stack().baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes)));
    let text = '';
    socket.setTimeout(60_000, () => socket.destroy(new Error(`no answer but ${JSON.stringify(text)}`)));
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

describe('invalid HTTP', () => {
  it.each<[string, () => string, number]>([
    ['not a request', () => 'hello\r\n\r\n', 400],
    ['an unknown method', () => request('FETCH /rest/v1/appointments'), 400],
    ['a NUL in a header', () => request('GET /rest/v1/appointments', ['X-Name: a\u0000b']), 400],
    ['no Host', () => 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', () => request('GET /rest/v1/appointments', ['Host: y']), 400],
    ['the same Host twice', () => request('GET /rest/v1/appointments', ['Host: x']), 400],
    [
      'two lengths',
      () => request('POST /rest/v1/appointments', ['Content-Length: 2', 'Content-Length: 3'], '{}'),
      400,
    ],
    ['an invalid length', () => request('POST /rest/v1/appointments', ['Content-Length: x'], '{}'), 400],
    [
      'a length and chunks',
      () => request('POST /rest/v1/appointments', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '{}'),
      400,
    ],
    [
      'invalid chunks',
      () => request('POST /rest/v1/appointments', ['Transfer-Encoding: chunked'], 'zz\r\n'),
      400,
    ],
    ['headers of 80 KB', () => request('GET /rest/v1/appointments', [`X-Name: ${'a'.repeat(80_000)}`]), 431],
    ...['Accept', 'Accept-Encoding', 'Prefer'].map((name): [string, () => string, number] => [
      `${name} of 5 KB, in two parts`,
      () => request('GET /', [`${name}: ${'a,'.repeat(1_250)}`, `${name}: ${'b,'.repeat(1_250)}`]),
      431,
    ]),
    ['a URL of 80 KB', () => request(`GET /rest/v1/appointments?x=${'a'.repeat(80_000)}`), 414],
    ['a URL of 17 KB', () => request(`GET /rest/v1/appointments?x=${'a'.repeat(17_000)}`), 414],
    ['bytes that are not percent-encoded', () => request('GET /rest/v1/appointments?notes=eq.é'), 400],
    ['an incomplete percent-encoding in the path', () => request('GET /rest/v1/%E0%A4%A'), 400],
    ['bytes in the path that are not UTF-8', () => request('GET /rest/v1/%ff%fe'), 400],
    ['an unknown expectation', () => request('GET /rest/v1/appointments', ['Expect: miracles']), 417],
    [
      'a body of more than 1 MiB',
      () => request('POST /rest/v1/appointments', ['Content-Length: 1048577'], 'x'.repeat(1_048_577)),
      413,
    ],
    [
      'a form of more than 64 KiB',
      () => request('POST /oauth/sign-in', ['Content-Length: 65537'], 'x'.repeat(65_537)),
      413,
    ],
    [
      'a form of more than 64 KiB without its length',
      () =>
        request('POST /oauth/sign-in', ['Transfer-Encoding: chunked'], `10001\r\n${'x'.repeat(65_537)}\r\n`),
      413,
    ],
    [
      'a form of more than 64 KiB, with an encoded path',
      () => request('POST /%6fauth/sign-in', ['Content-Length: 65537'], 'x'.repeat(65_537)),
      413,
    ],
  ])('gets an error response: %s', async (_what, bytes, status) => {
    const code = `PM${status}`;
    const answer = await raw(bytes());
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toEqual({ code, message: expect.any(String), details: null, hint: null });
    expect(answer.headers).toMatch(/^x-request-id: [\w-]{36}$/im);
    expect(answer.headers).toMatch(/^api-version: 1$/im);
    expect(answer.headers).toContain(`error=${code}`);
  });

  it('includes a body that is still sent after its refusal, and closes the connection when it ends', async () => {
    const { hostname, port } = new URL(stack().baseUrl);
    const socket = connect(Number(port), hostname);
    const closed = new Promise((resolve, reject) => socket.once('close', resolve).once('error', reject));
    socket.write(request('POST /rest/v1/appointments', ['Content-Length: 1048577']));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*Connection: close[^]*"PM413"/);
    for (let written = 0; written < 1024; written += 1) {
      if (!socket.write('x'.repeat(1024))) await once(socket, 'drain');
    }
    socket.write('x');
    await closed;
  });

  it('includes a compressed body, and the answer has the encodings that are accepted', async () => {
    const body = ['Content-Length: 2', 'Content-Encoding: gzip'];
    for (const path of ['/rest/v1/appointments', '/auth/v1/token?grant_type=password']) {
      const answer = await raw(request(`POST ${path}`, body, '{}'));
      expect([path, answer.status]).toEqual([path, 415]);
      expect(answer.headers).toMatch(/^accept-encoding: identity$/im);
      expect(answer.body).toContain('The body has a Content-Encoding');
    }
    const plain = ['Content-Length: 2', 'Content-Encoding: identity'];
    expect((await raw(request('POST /rest/v1/appointments', plain, '{}'))).status).toBe(400);
  });

  it('includes a token that is sent in two headers', async () => {
    const twice = await raw(
      request('GET /rest/v1/appointments', [`Authorization: Bearer ${practice.token}`]),
    );
    expect(twice.status).toBe(401);
  });

  it('does not include a URL of 16 KiB or a body of 1 MiB', async () => {
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

  it.each([
    '/rest',
    '/rest/v2/appointments',
    '/auth/v1/nothing',
    '/auth/v1/',
    '/auth/v1',
    '/auth/v2/user',
    '/.env',
    '/REST/v1/appointments',
    '/docs/nothing',
    '/rest/v1/../appointments',
    '/rest/v1/../../etc',
    '/../etc/passwd',
    '/auth/v1/../../etc/passwd',
    '//',
    '/rest//v1/appointments',
    '/%2e%2e/etc',
  ])('%s is 404 with a code and a message', async (path) => {
    const { status, body } = await raw(request(`GET ${path}`));
    expect(status).toBe(404);
    const isAuth = path.startsWith('/auth/v1/');
    expect(JSON.parse(body)).toMatchObject({
      ...(isAuth ? { code: 404, error_code: 'not_found' } : { code: 'PGRST125' }),
      message: 'Invalid path specified in request URL',
    });
  });

  it.each([
    ['/storage/v1/object/notes/a.pdf', 'Storage is'],
    ['/functions/v1/send', 'Edge functions are'],
    ['/graphql/v1', 'GraphQL is'],
  ])('%s is not offered', async (path, subject) => {
    expect(await call(path)).toMatchObject({
      status: 404,
      json: { code: 'PM011', message: `${subject} not offered by this API`, details: null, hint: null },
    });
  });

  it.each(['PROPFIND', 'SEARCH', 'LOCK', 'PURGE', 'REPORT', 'LINK'])(
    'do not support the method %s',
    async (method) => {
      const answer = await practice.rest('appointments', { method });
      expect(answer.status).toBe(405);
      expect(answer.json).toMatchObject({ code: 'PGRST117', message: `Unsupported HTTP method: ${method}` });
      expect(answer.headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY');
    },
  );

  it('support fewer methods for the root and for functions', async () => {
    expect(await practice.rest('', { method: 'POST' })).toMatchObject({
      status: 405,
      json: { code: 'PGRST117' },
    });
    const rpc = await practice.rest('rpc/book', { method: 'DELETE' });
    expect(rpc).toMatchObject({ status: 405, json: { code: 'PGRST101' } });
  });

  it('name the arguments in the error for an unknown function', async () => {
    const posted = await practice.rest('rpc/book', { method: 'POST', body: { b: 1, a: 2 } });
    expect(posted.json).toMatchObject({
      message: 'Could not find the function public.book(a, b) in the schema cache',
      hint: null,
    });
  });

  it('answer HEAD without a body', async () => {
    const head = await practice.rest('appointments', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '' });
    const missing = await practice.rest('nothing', { method: 'HEAD' });
    expect(missing).toMatchObject({ status: 404, text: '' });
  });
});

describe('every response', () => {
  it('carries the caller’s request id if it is valid', async () => {
    const idFor = async (given: string) =>
      (await practice.rest('appointments', { headers: { 'x-request-id': given } })).headers.get(
        'x-request-id',
      );
    expect(await idFor('caller-1.2_3')).toBe('caller-1.2_3');
    expect(await idFor('a b')).toMatch(/^[\da-f-]{36}$/);
    expect(await idFor('x'.repeat(129))).toMatch(/^[\da-f-]{36}$/);
  });

  it('carries the API version and the security headers', async () => {
    const answers = [await practice.rest('appointments'), await call('/x'), await call('/auth/v1/user')];
    for (const { headers } of answers) {
      expect(headers.get('api-version')).toBe('1');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('can be read by pages of other origins', async () => {
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

  it('allows the headers of supabase-js without an API key', async () => {
    const answer = await options('/rest/v1/appointments', {
      origin: 'https://app.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey,authorization,prefer,x-supabase-api-version',
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toBe(
      'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD, QUERY',
    );
    expect(answer.headers.get('access-control-allow-headers')).toBe(
      'Authorization, apikey, authorization, prefer, x-supabase-api-version, Accept, Accept-Language, Content-Language',
    );
    expect(answer.headers.get('access-control-max-age')).toBe('86400');
  });

  it('lists the methods of a resource and of the root', async () => {
    const resource = await options('/rest/v1/appointments');
    expect([resource.status, resource.headers.get('allow')]).toEqual([
      200,
      'OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE,QUERY',
    ]);
    const log = await options('/rest/v1/conversation_log');
    expect(log.headers.get('allow')).toBe('OPTIONS,GET,HEAD,POST,QUERY');
    for (const headers of [{}, { origin: 'https://app.example' }])
      expect((await options('/rest/v1/clients', headers)).headers.get('access-control-allow-origin')).toBe(
        '*',
      );
    expect((await options('/rest/v1/')).headers.get('allow')).toBe('OPTIONS,GET,HEAD');
    expect((await options('/rest/v1/nothing')).status).toBe(404);
  });
});

describe('the log', () => {
  it('has one line for each request, without its contents', async () => {
    const id = randomUUID();
    const headers = { 'x-request-id': id };
    await practice.rest('appointments?client_name=eq.Secretname', { headers });
    await call('/auth/v1/signup', { method: 'POST', body: { email: 'x', password: 'Secretword' }, headers });
    const written = (): string => logOf('gateway');
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
  it('needs no API key', async () => {
    for (const path of ['/livez', '/readyz'])
      expect(await call(path, { headers: { apikey: '' } })).toMatchObject({
        status: 200,
        json: { status: 'ok' },
      });
  });
});

describe('the home page', () => {
  it('is HTML for a browser, under a policy that allows only its own style and icon', async () => {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const { status, headers, text } = await call('/', { headers: { accept, apikey: '' } });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('vary')).toContain('Accept');
    const policy = headers.get('content-security-policy') ?? '';
    const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? '';
    expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    const links = [...text.matchAll(/href="([^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(['docs', 'docs/openapi.json', 'readyz']));
    for (const link of links)
      expect([link, (await call(`/${link}`, { headers: { apikey: '' } })).status]).toEqual([link, 200]);
    expect(text).toContain('apikey');
  });

  it('is JSON for every other client', async () => {
    expect(await call('/', { headers: { apikey: '' } })).toMatchObject({
      status: 200,
      json: { name: 'Practice API', docs: 'docs', health: 'readyz', apikey: expect.any(String) },
    });
  });
});
