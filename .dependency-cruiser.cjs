// Allowed imports between packages, and between the folders of a package.

const lib = (name) => `libs/${name}`;
const libs = (...names) => names.map(lib);

/** Each entry lists all packages of the project that a package may import. */
/** @type {Record<string, string[]>} */
const mayImport = {
  [lib('core')]: [],
  [lib('limits')]: [],
  [lib('settings')]: [],
  [lib('tracing')]: [],
  [lib('zone')]: [],
  [lib('client-types')]: [],
  [lib('process')]: libs('settings'),
  [lib('metrics')]: libs('core', 'process'),
  [lib('outbound')]: libs('settings'),
  [lib('resource')]: libs('core'),
  [lib('contracts')]: libs('core', 'resource'),
  [lib('query')]: libs('core', 'resource'),
  [lib('describe')]: libs('core', 'resource', 'query'),
  [lib('log')]: libs('core'),
  [lib('bus')]: libs('core', 'contracts'),
  [lib('feed')]: libs('core', 'resource', 'contracts', 'bus'),
  [lib('authentication')]: libs('core', 'contracts', 'limits', 'bus', 'process'),
};

// The packages of a service's process, from the lowest to the shell.
const below = [
  'core',
  'resource',
  'contracts',
  'query',
  'log',
  'bus',
  'metrics',
  'tracing',
  'process',
  'settings',
];
mayImport[lib('storage')] = libs(...below);
mayImport[lib('read')] = libs(...below, 'storage');
mayImport[lib('mirror')] = libs(...below, 'storage');
mayImport[lib('write')] = libs(...below, 'storage', 'read', 'mirror');
mayImport[lib('privacy')] = libs(...below, 'storage');
mayImport[lib('projections')] = libs(...below, 'storage', 'read', 'mirror', 'write', 'privacy');
mayImport[lib('recovery')] = libs(...below, 'storage', 'mirror', 'write', 'projections');
mayImport[lib('service')] = libs(
  ...below,
  'storage',
  'read',
  'mirror',
  'write',
  'privacy',
  'projections',
  'recovery',
);

Object.assign(mayImport, {
  [lib('testing')]: libs('core', 'resource', 'contracts', 'settings'),
  'apps/operator': libs('contracts', 'metrics', 'process', 'settings'),
  'tools/start': ['apps/operator', ...libs('metrics', 'process')],
  'tools/generate': ['apps/operator', ...libs('settings')],
  'tools/drills': ['apps/operator', 'tools/start', 'tools/chaos', ...libs('process')],
  // Its baselines run the SQL of the services' own compiler.
  'tools/bench': ['apps/operator', 'tools/start', ...libs('settings', 'process', 'contracts', 'query')],
  'tools/jest': ['apps/operator', 'tools/start', ...libs('testing')],
  'tools/chaos': ['apps/operator', 'tools/start', ...libs('contracts', 'bus')],
  // No database library: a gateway owns no data.
  'apps/gateway': [
    ...libs('core', 'resource', 'contracts', 'query', 'describe', 'limits', 'bus', 'authentication'),
    ...libs('metrics', 'process', 'settings', 'tracing'),
  ],
});
const anyOf = (paths) => `^(${paths.join('|')})/`;
const specs = '\\.spec\\.ts$';
const ours = '^(libs|apps|tools)/[^/]+/';

const oneWay = Object.entries(mayImport).map(([from, allowed]) => ({
  name: `${from.replace('libs/', '').replace('/', '-')}-imports-only-what-it-may`,
  severity: 'error',
  // Specs, and helpers of specs in a folder `testing`, are not part of the build.
  from: { path: `^${from}/`, pathNot: `${specs}|/testing/|^apps/[^/]+/test/` },
  // Every command begins with the build.
  to: { path: ours, pathNot: anyOf([from, 'tools/build', ...allowed]) },
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
      to: { path: '^(apps|libs/testing)/', pathNot: '^apps/$1/' },
    },
    {
      name: 'tools-import-the-operator-only',
      severity: 'error',
      from: { path: '^tools/' },
      to: { path: '^apps/', pathNot: '^apps/operator/' },
    },
    {
      name: 'nothing-imports-the-tools',
      comment: 'Specs neither: tools/jest provides what they need (libs/testing/src/tools.ts).',
      severity: 'error',
      from: { path: '^(libs|apps)/' },
      to: { path: '^(tools|infra)/' },
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
      from: { path: '^((?:libs|apps|tools)/[^/]+)/' },
      to: {
        path: '^((libs|tools)/[^/]+|apps/operator)/(src|dist)/',
        pathNot: ['^$1/', '^(libs|apps|tools)/[^/]+/src/index\\.ts$'],
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
