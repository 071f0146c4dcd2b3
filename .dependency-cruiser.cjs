// Allowed imports between packages: each entry lists all packages of the project that a package may import.

const lib = (name) => `libs/${name}`;
const domain = ['core', 'resource', 'contracts', 'query', 'event-store', 'messaging', 'events'].map(lib);

/** @type {Record<string, string[]>} */
const mayImport = {
  [lib('core')]: [],
  [lib('resource')]: [lib('core')],
  [lib('contracts')]: [lib('core'), lib('resource')],
  [lib('query')]: [lib('core'), lib('resource')],
  [lib('describe')]: [lib('core'), lib('resource'), lib('query')],
  [lib('client-types')]: [],
  [lib('event-store')]: [lib('core')],
  [lib('limits')]: [],
  [lib('settings')]: [],
  [lib('metrics')]: [],
  [lib('tracing')]: [],
  [lib('zone')]: [],
  [lib('process')]: [lib('settings')],
  [lib('messaging')]: [lib('core')],
  [lib('events')]: [lib('core'), lib('contracts'), lib('messaging')],
  [lib('feed')]: ['core', 'resource', 'contracts', 'messaging', 'events'].map(lib),
  [lib('authentication')]: ['core', 'contracts', 'limits', 'messaging', 'process'].map(lib),
  [lib('service')]: [...domain, lib('metrics'), lib('process'), lib('settings'), lib('tracing')],
  [lib('testing')]: [lib('core'), lib('resource'), lib('contracts'), 'infra/dev'],
  'infra/dev': ['contracts', 'metrics', 'process', 'settings'].map(lib),
  // Its baselines run the SQL of the services' own compiler.
  bench: ['infra/dev', ...['settings', 'contracts', 'query'].map(lib)],
  chaos: ['infra/dev', ...['contracts', 'events', 'messaging'].map(lib)],
};

const anyOf = (paths) => `^(${paths.join('|')})/`;
const specs = '\\.spec\\.ts$';
const ours = '^(libs/[^/]+|apps/[^/]+|infra/dev|bench|chaos)/';

const oneWay = Object.entries(mayImport).map(([from, allowed]) => ({
  name: `${from.replace('libs/', '').replace('/', '-')}-imports-only-what-it-may`,
  severity: 'error',
  // Helpers of specs in a folder `testing` are no part of the build either.
  from: { path: `^${from}/`, pathNot: `${specs}|/src/testing/` },
  to: { path: ours, pathNot: anyOf([from, ...allowed]) },
}));

const frameworks = [
  '@nestjs/',
  '@nats-io/',
  '@fastify/',
  'fastify(/|$)',
  'pg(/|$)',
  'pg-',
  'typeorm(/|$)',
  'rxjs(/|$)',
].map((name) => `(^|node_modules/)${name}`);

module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'apps-import-libs-only',
      comment:
        'Services communicate over NATS, with the types of libs/contracts: an app imports no other app and no tool.',
      severity: 'error',
      // Helpers of specs are in `apps/*/test` or in a folder `testing`; no build contains either.
      from: { path: '^apps/([^/]+)/', pathNot: `${specs}|/testing/|^apps/[^/]+/test/` },
      to: { path: '^(apps|infra|bench|chaos|libs/testing)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'specs-import-no-other-app',
      severity: 'error',
      from: { path: `^apps/([^/]+)/.*${specs}` },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'pure-libs-know-no-framework',
      severity: 'error',
      // Their specs may run the generated SQL on a real Postgres.
      from: { path: '^libs/(core|resource|contracts|query|describe|client-types|zone)/', pathNot: specs },
      to: { path: frameworks },
    },
    {
      name: 'no-deep-imports',
      comment: 'Import `@practice/x`: what a package exports is its contract, its files are not.',
      severity: 'error',
      from: { path: '^(libs/[^/]+|apps/[^/]+|infra/dev|bench|chaos)/' },
      to: {
        path: '^(libs/[^/]+|infra/dev)/(src|dist)/',
        pathNot: ['^$1/', '^(libs/[^/]+|infra/dev)/src/index\\.ts$'],
      },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-unresolved',
      comment: 'A dependency that is not in the package.json of the tree, or a file that does not exist.',
      severity: 'error',
      from: { path: ours },
      to: { couldNotResolve: true },
    },
    {
      name: 'sources-do-not-import-tests',
      severity: 'error',
      from: { path: '^apps/[^/]+/src/', pathNot: specs },
      to: { path: '^apps/[^/]+/test/' },
    },
    {
      name: 'sources-do-not-import-specs',
      severity: 'error',
      from: { pathNot: specs },
      to: { path: specs },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
