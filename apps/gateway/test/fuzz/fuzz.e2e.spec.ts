// Random bytes against a running gateway with little capacity: no request gets a 500 or hangs, and no capacity or memory is lost.

import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, newPractice, type Practice, stack } from '@practice/testing';
import fc from 'fast-check';
import { fuzzing } from './fuzz.config.js';

// The contents of a request: headers and bodies of any kind.

const contentTypes = fc.constantFrom(
  ...[
    'application/json',
    'application/json; charset=utf-16',
    'text/csv',
    'application/x-www-form-urlencoded',
  ],
  ...[
    'multipart/form-data; boundary=x',
    'text/xml',
    'application/octet-stream',
    '',
    'a/b; c',
    '/',
    'application/json, text/csv',
  ],
);
const bodies = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '{}',
      '[]',
      '[{}]',
      '{"name":"x"}',
      '{"email":"a@b.example","password":"x"}',
      '{',
      'null',
      '"x"',
      '\u0000',
    ],
    ...[
      '{"__proto__":{"a":1}}',
      `${'['.repeat(3000)}`,
      '{"id":"\\ud800"}',
      'a,b\n1,2\n"',
      'a=1&b=%',
      '{"date":1e999}',
    ],
    ...[
      '{"data":{"a":{}},"email":1}',
      '{"refresh_token":"x"}',
      '{"name":"\\u0000"}',
      '\ufeff{}',
      '{"a":1}{"a":2}',
    ],
  ),
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);
const header = (name: string, ...values: readonly string[]): fc.Arbitrary<string> =>
  fc.constantFrom(...values).map((value) => `${name}: ${value}`);
const headers = fc.array(
  fc.oneof(
    header(
      'Accept',
      '*/*',
      'text/csv',
      'application/vnd.pgrst.object+json',
      'image/png',
      ',',
      'application/openapi+json',
    ),
    header('Accept-Encoding', 'gzip', 'br', 'identity;q=0', '*', 'nonsense'),
    header('Content-Encoding', 'gzip', 'deflate', 'br', 'x'),
    header(
      'Prefer',
      'return=representation',
      'count=exact',
      'tx=rollback',
      'handling=strict,a=b',
      '=',
      'session=cookie',
    ),
    header('Range', '0-9', '9-0', 'bytes=0-', 'x', '0-99999999999999999999'),
    header('If-Match', '"1"', '*', 'x', '"99999999999999999999"'),
    header('If-None-Match', '"1"', 'W/"1", *', '"'),
    header('Idempotency-Key', 'k', '', 'k'.repeat(300), '\u00e9'),
    header('Origin', 'https://x.example', 'null', 'x'),
    header('Accept-Profile', 'public', 'private'),
    header('Content-Profile', 'public', ''),
    header('X-Request-Id', 'a', 'a b', '\u00ff'),
    header('X-Forwarded-For', '192.0.2.1', 'x', '::1, 192.0.2.1'),
    header('X-HTTP-Method-Override', 'DELETE'),
    header('Cookie', 'sb-access-token=x', '=;=', 'a=b; a=c'),
    header('Connection', 'keep-alive, x', 'Upgrade'),
    header('traceparent', '00-0-0-0', 'x'),
    header('X-Supabase-Api-Version', '2024-01-01', 'x'),
  ),
  { maxLength: 4 },
);

// The targets of requests: methods, paths and queries, as callers, strangers and their tools write them.

const methods = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS') },
  fc.constantFrom('get', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'FOO', 'PURGE', 'SEARCH', 'G\tT'),
);

const resources = fc.constantFrom(
  ...[
    'appointments',
    'clients',
    'sessions',
    'expenses',
    'service_menu',
    'business_hours',
    'conversation_log',
  ],
);
const segments = fc.oneof(
  { weight: 3, arbitrary: resources },
  fc.constantFrom(
    ...[
      '',
      '.',
      '..',
      '%2e%2e',
      '%2f',
      '%2F..',
      '%00',
      '%',
      '%zz',
      '%ff',
      'rpc',
      'rpc/f',
      'rpc/current_identity',
      'rpc/open_sessions',
      'rpc/end_session',
      ';a=b',
      '\\',
      '*',
      '"',
      "'",
    ],
    ...[
      'Appointments',
      '%61ppointments',
      'clients%20',
      'clients/',
      'clients//',
      'é',
      '%F0%9F%92%A5',
      '__proto__',
    ],
    ...['constructor', 'openapi.json', 'a'.repeat(5000)],
  ),
);
const prefixes = fc.oneof(
  { weight: 4, arbitrary: fc.constant('/rest/v1/') },
  fc.constantFrom(
    ...[
      '/',
      '//',
      '',
      '/rest',
      '/REST/v1/',
      '//rest/v1/',
      '/rest//v1/',
      '/rest%2fv1/',
      '/rest/v1',
      '/rest/v2/',
    ],
    ...[
      '/auth/v1/',
      '/auth/v1/token',
      '/auth/v1/user',
      '/auth/v1/signup',
      '/auth/v1/tokens',
      '/auth/v1/../../rest/v1/',
    ],
    ...['http://x/rest/v1/', '/docs', '/livez', '/.env', '/rest/v1/openapi.json'],
  ),
);

const names = fc.constantFrom(
  ...[
    'id',
    'therapist_id',
    'date',
    'name',
    'status',
    'select',
    'order',
    'limit',
    'offset',
    'and',
    'or',
    'not.or',
    'columns',
  ],
  ...[
    'on_conflict',
    'apikey',
    'clients.name',
    'metadata->>a',
    '',
    '__proto__',
    '%',
    'a%00b',
    'grant_type',
    'scope',
  ],
);
const values = fc.oneof(
  fc.constantFrom(
    ...[
      'eq.1',
      'in.(1,2',
      'not.not.eq.1',
      'fts(x).a',
      'like(any).{*}',
      'is.null',
      '(a.eq.1,or(b.is.null))',
      '*',
      'desc',
    ],
    ...[
      '-1',
      '9'.repeat(30),
      'eq.%00',
      'eq.%ff',
      '%',
      '+',
      '(((((((((',
      'a(b(c(d(e(f(*))))))',
      '*,clients!inner(*)',
    ],
    ...[
      'eq.00000000-0000-4000-8000-000000000000',
      'password',
      'refresh_token',
      'count()',
      "';--",
      'match.(a+)+$',
    ],
  ),
  fc.string({ maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
const queries = fc
  .array(fc.tuple(names, values), { maxLength: 4 })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));

/** The text between method and version in a request's first line. */
const targets = fc
  .tuple(prefixes, segments, queries)
  .map((parts) => parts.join('').replaceAll(/[\r\n]/g, ''));

// Requests as bytes. No client would send some of them, but any stranger can.

interface Credentials {
  readonly apikey: string;
  readonly token: string;
}

const framings = fc.constantFrom(
  'length',
  'length',
  'length',
  'chunked',
  'none',
  'short',
  'both',
  'broken chunks',
);

/** The bytes of one request, which closes its connection. */
const requestBytes = ({ apikey, token }: Credentials): fc.Arbitrary<Buffer> => {
  const auths = fc.constantFrom(
    ...Array<string>(6).fill(`apikey: ${apikey}\r\nAuthorization: Bearer ${token}`),
    ...['', `apikey: ${apikey}`, 'apikey: x', `Authorization: Bearer ${token}`],
    ...[`apikey: ${apikey}\r\nAuthorization: Bearer x.y.z`, `apikey: ${apikey}\r\nAuthorization: Basic eA==`],
  );
  return fc
    .record({
      method: methods,
      target: targets,
      auth: auths,
      type: contentTypes,
      more: headers,
      body: bodies,
      framing: framings,
    })
    .map(({ method, target: path, auth, type, more, body, framing }) => {
      const content = Buffer.from(body, 'utf8');
      const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...auth.split('\r\n')];
      const type_ = type === '' ? [] : [`Content-Type: ${type}`];
      const { head, sent } = framed(framing, content);
      const all = [...lines, ...type_, ...more, ...head].filter((line) => line !== '');
      return Buffer.concat([Buffer.from(`${all.join('\r\n')}\r\n\r\n`, 'latin1'), sent]);
    });
};

function framed(framing: string, content: Buffer): { head: readonly string[]; sent: Buffer } {
  const length = `Content-Length: ${content.length}`;
  const size = content.length.toString(16);
  const chunks = Buffer.concat([Buffer.from(`${size}\r\n`), content, Buffer.from('\r\n0\r\n\r\n')]);
  switch (framing) {
    case 'chunked':
      return {
        head: ['Transfer-Encoding: chunked'],
        sent: content.length === 0 ? Buffer.from('0\r\n\r\n') : chunks,
      };
    case 'none':
      return { head: [], sent: Buffer.alloc(0) };
    case 'short':
      return { head: [`Content-Length: ${Math.max(0, content.length - 2)}`], sent: content };
    case 'both':
      return { head: [length, 'Transfer-Encoding: chunked'], sent: chunks };
    case 'broken chunks':
      return { head: ['Transfer-Encoding: chunked'], sent: Buffer.from('zz\r\n') };
    default:
      return { head: [length], sent: content };
  }
}

/** The capacity is small, so requests that are never released would soon leave no room for others. */
const ROOM = 32;
const AT_ONCE = 8;
const ANSWERED_WITHIN_MS = 20_000;
const MOST_GROWTH = 200 * 2 ** 20;

let gateway: Awaited<ReturnType<ReturnType<typeof stack>['spawnProcess']>>;
let practice: Practice;
beforeAll(async () => {
  gateway = await stack().spawnProcess('gateway', {
    MAX_IN_FLIGHT: String(ROOM),
    HEADERS_TIMEOUT_SECONDS: '1',
    REQUEST_TIMEOUT_SECONDS: '2',
  });
  practice = await newPractice(gateway.origin);
});
afterAll(() => gateway.stop());

/** @param left how often bytes are sent again because a busy machine is late */
function answersTo(bytes: Buffer, left = 3): Promise<string> {
  const { hostname, port } = new URL(gateway.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    const hanging = setTimeout(() => reject(new Error(`no end of the answer ${text}`)), ANSWERED_WITHIN_MS);
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    // A refused request closes the connection, so the remaining bytes cause an error.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(hanging);
      const isLate = left > 0 && /^HTTP\/1\.1 50[34] /m.test(text);
      resolve(isLate ? answersTo(bytes, left - 1) : text);
    });
  });
}

function judge(bytes: Buffer, answers: string): void {
  const shown = bytes.toString('latin1');
  const statuses = [...answers.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
  const isUpgrade = /^Connection: Upgrade/m.test(shown);
  if (statuses.length === 0 && isUpgrade) return;
  const isGood = statuses.length > 0 && statuses.every((status) => status < 500);
  expect({ shown, answers: isGood ? '' : answers }).toEqual({ shown, answers: '' });
  expect(answers).not.toMatch(/node_modules|\bat \w+ \(|SELECT |INSERT INTO/);
}

/** Resident bytes; 0 if the system does not report them. */
function residentBytes(): number {
  const file = `/proc/${gateway.pid}/statm`;
  return existsSync(file) ? Number(readFileSync(file, 'utf8').split(' ')[1]) * 4096 : 0;
}

const { numRuns, seed } = fuzzing();

it(`the gateway survives ${numRuns} requests of any kind`, async () => {
  const { apikey } = stack();
  const all = fc.sample(requestBytes({ apikey, token: practice.token }), { numRuns, seed });
  const before = residentBytes();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let bytes = all[next++]; bytes !== undefined; bytes = all[next++])
      judge(bytes, await answersTo(bytes));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker)).catch((error: unknown) => {
    throw new Error(`seed ${seed}, request ${next}`, { cause: error });
  });
  expect(residentBytes() - before).toBeLessThan(MOST_GROWTH);

  const last = await Promise.all(Array.from({ length: ROOM }, () => practice.rest('clients?select=count')));
  expect(last.map(({ status }) => status)).toEqual(Array<number>(ROOM).fill(200));
  expect((await call('/readyz', { origin: gateway.origin })).status).toBe(200);
}, 1_800_000);
