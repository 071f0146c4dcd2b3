// A gateway set up as on the internet: behind TLS, with limits, a list of origins, and short timeouts.

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, newPractice, stack, type Answer, type Practice } from '@practice/testing';

const PAGE = 'https://app.example';
let gateway: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
let practice: Practice;

beforeAll(async () => {
  gateway = await stack().spawnProcess('gateway', {
    BASE_URL: 'https://api.example',
    CORS_ORIGINS: `${PAGE}, http://localhost:3000`,
    HEADERS_TIMEOUT_SECONDS: '5',
    REQUEST_TIMEOUT_SECONDS: '6',
    LIMIT_READS_PER_MINUTE: '1000',
    LIMIT_WRITES_PER_MINUTE: '500',
    LIMIT_AUTH_PER_MINUTE: '100',
  });
  practice = await newPractice(gateway.origin);
});
afterAll(() => gateway.stop());

const ask = (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Answer> =>
  call(path, {
    method,
    headers: { authorization: `Bearer ${practice.token}`, ...headers },
    origin: gateway.origin,
  });

/** Everything that the gateway sends for these bytes until the connection closes. Until then, `more` is sent at intervals. */
function answerTo(bytes: string, more = ''): Promise<string> {
  const { hostname, port } = new URL(gateway.origin);
  return new Promise((resolve, reject) => {
    let dribble: NodeJS.Timeout | undefined;
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes);
      // Not earlier: bytes that are written before the connection is open would be sent first.
      dribble = setInterval(() => more !== '' && socket.writable && socket.write(more), 100);
    });
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The interval may still write to a connection that the gateway has closed.
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
    });
    socket.on('close', () => {
      clearInterval(dribble);
      resolve(text);
    });
  });
}

const common: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=31536000',
  'api-version': '1',
  vary: 'Origin',
};

describe('every answer', () => {
  it.each<[number, string, string, Record<string, string>]>([
    [200, 'GET', '/rest/v1/appointments', {}],
    [200, 'HEAD', '/rest/v1/appointments', {}],
    [200, 'OPTIONS', '/rest/v1/appointments', {}],
    [400, 'GET', '/rest/v1/appointments?x=1', {}],
    [400, 'DELETE', '/rest/v1/appointments', {}],
    [401, 'GET', '/rest/v1/appointments', { apikey: 'wrong' }],
    [401, 'GET', '/rest/v1/appointments', { authorization: 'Bearer x' }],
    [404, 'GET', '/rest/v1/nothing', {}],
    [404, 'POST', '/nowhere', {}],
    [405, 'PROPFIND', '/rest/v1/appointments', {}],
    [414, 'GET', `/rest/v1/appointments?${'x'.repeat(17_000)}`, {}],
    [400, 'GET', '/rest/v1/%ff', {}],
    [200, 'GET', '/auth/v1/settings', {}],
    [401, 'GET', '/auth/v1/settings', { apikey: '' }],
    [200, 'GET', '/livez', {}],
  ])('of %i to %s %s protects its reader and states the limits', async (status, method, path, headers) => {
    const answer = await ask(path, method, headers);
    expect(answer.status).toBe(status);
    for (const [name, value] of Object.entries(common))
      expect([name, answer.headers.get(name)]).toEqual([name, value]);
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('ratelimit')).toMatch(/^"(reads|writes|auth)";r=\d+;t=\d+$/);
    expect(answer.headers.get('ratelimit-policy')).toMatch(
      /^"(reads";q=1000|writes";q=500|auth";q=100);w=60$/,
    );
    for (const name of ['limit', 'remaining', 'reset'])
      expect(answer.headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/);
  });

  it('to bytes that are not an HTTP request has the same headers', async () => {
    for (const bytes of [
      'hello\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
    ]) {
      const answer = (await answerTo(bytes)).toLowerCase();
      for (const [name, value] of Object.entries(common))
        expect(answer).toContain(`${name}: ${value.toLowerCase()}\r\n`);
      expect(answer).toContain('\r\nratelimit: "reads";r=1000;t=60\r\n');
    }
  });
});

describe('a page', () => {
  const cors = ({ headers }: Answer): (string | null)[] =>
    ['origin', 'credentials', 'methods'].map((name) => headers.get(`access-control-allow-${name}`));
  const preflight = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'apikey' };

  it('of a listed origin may read responses, and call with cookies', async () => {
    for (const origin of [PAGE, 'http://localhost:3000']) {
      expect(cors(await ask('/rest/v1/appointments', 'GET', { origin }))).toEqual([origin, 'true', null]);
      expect(cors(await ask('/auth/v1/token', 'OPTIONS', { origin, ...preflight }))).toEqual([
        origin,
        'true',
        'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD, QUERY',
      ]);
    }
  });

  it.each(['https://evil.example', `${PAGE}.evil.example`, 'http://app.example', 'null', '*'])(
    'of %s may not read the response',
    async (origin) => {
      const read = await ask('/rest/v1/appointments', 'GET', { origin });
      expect([read.status, ...cors(read)]).toEqual([200, null, null, null]);
      expect(read.headers.get('access-control-expose-headers')).toBeNull();
      const asked = await ask('/rest/v1/appointments', 'OPTIONS', { origin, ...preflight });
      expect([asked.status, ...cors(asked).slice(0, 2)]).toEqual([200, null, null]);
    },
  );
});

describe('a slow caller', () => {
  const head = `POST /rest/v1/appointments HTTP/1.1\r\nHost: x\r\n`;
  /** The credentials of a user, because the gateway does not wait for the body of an unknown caller. */
  const user = (): string => `apikey: ${stack().apikey}\r\nAuthorization: Bearer ${practice.token}\r\n`;
  const ways: readonly (() => readonly [string, string])[] = [
    () => [head, ''],
    () => [head, 'X-A: b\r\n'],
    () => [`${head}${user()}Content-Length: 1000\r\n\r\n`, ' '],
    () => [`${head}${user()}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
  ];

  it('with slow headers or a slow body gets an error, is disconnected, and delays no other caller', async () => {
    const slow = Array.from({ length: 200 }, (_, index) =>
      answerTo(...(ways[index % ways.length] as (typeof ways)[number])()),
    );
    expect((await ask('/rest/v1/appointments')).status).toBe(200);
    for (const answer of await Promise.all(slow)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(answer).toContain('"code":"PM408"');
    }
    expect((await ask('/rest/v1/appointments')).status).toBe(200);
  });
});
