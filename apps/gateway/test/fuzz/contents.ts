// The contents of a request: headers and bodies of any kind.

import fc from 'fast-check';

export const contentTypes = fc.constantFrom(
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
export const bodies = fc.oneof(
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
export const headers = fc.array(
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
