// Two projects: `unit` needs nothing; `stack` (integration and end to end) shares one running system,
// which its globalSetup starts and its globalTeardown stops.

const rootDir = import.meta.dirname;

const swc = {
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

const project = {
  rootDir,
  testEnvironment: 'node',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/infra', '<rootDir>/bench'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // A package's `dist` carries no package.json, but its folder must not be watched or mapped either.
  modulePathIgnorePatterns: ['/dist/', '/\\.data/', '/\\.cache/'],
  setupFilesAfterEnv: ['<rootDir>/infra/dev/jest/seed.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: {
    // A spec runs the sources it sits beside, never a build of them that may be old.
    '^@practice/dev$': '<rootDir>/infra/dev/src/index.ts',
    '^@practice/([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'],
  },
};

export default {
  maxWorkers: 2,
  // A busy machine is slow, not wrong.
  testTimeout: 60_000,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/**/src/**/*.spec.ts', '<rootDir>/apps/*/test/**/*.spec.ts'],
      // What `*.types.spec.ts` hold is held by the compiler, which reads them with everything else.
      testPathIgnorePatterns: [...project.testPathIgnorePatterns, '\\.(int|e2e|types)\\.spec\\.ts$'],
    },
    {
      ...project,
      displayName: 'stack',
      testMatch: ['<rootDir>/**/*.int.spec.ts', '<rootDir>/**/*.e2e.spec.ts'],
      globalSetup: '<rootDir>/infra/dev/jest/setup.mjs',
      globalTeardown: '<rootDir>/infra/dev/jest/teardown.mjs',
    },
  ],
};
