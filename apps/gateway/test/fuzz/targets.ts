// Where a request goes: methods, paths and queries, as callers, strangers and their tools write them.

import fc from 'fast-check';

export const methods = fc.oneof(
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
export const targets = fc
  .tuple(prefixes, segments, queries)
  .map((parts) => parts.join('').replaceAll(/[\r\n]/g, ''));
