// Two projects: `unit` needs nothing; `stack` (integration and end to end) shares one running system,
// which its globalSetup starts and its globalTeardown stops.
import { swc } from './tools/build/swc.mjs';

const rootDir = import.meta.dirname;

const project = {
  rootDir,
  testEnvironment: '<rootDir>/tools/jest/environment.mjs',
  roots: ['<rootDir>/libs', '<rootDir>/apps', '<rootDir>/tools'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  // Builds and data folders are neither watched nor mapped.
  modulePathIgnorePatterns: ['/dist/', '/\\.data/', '/\\.cache/'],
  setupFilesAfterEnv: ['<rootDir>/tools/jest/seed.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': ['@swc/jest', { ...swc, sourceMaps: 'inline' }] },
  moduleNameMapper: {
    // A spec imports the sources, not a build that may be out of date.
    '^@practice/([a-z-]+)$': ['libs', 'tools', 'apps'].map((group) => `<rootDir>/${group}/$1/src/index.ts`),
    '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'],
  },
};

export default {
  reporters: ['default', '<rootDir>/tools/jest/results.mjs'],
  // More than two processors, as many specs wait for other processes. With a fourth worker, the processes that specs start leave
  // too little time to the shared stack of a slow machine: its requests miss their deadlines.
  maxWorkers: 3,
  // On a busy machine, a worker takes longer than the usual 500 ms to end.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/tools/jest/sequencer.mjs',
  // Only for a test that would never end: a machine may be slow, and benchmarks measure speed. On two processors, some tests take
  // four minutes.
  testTimeout: 900_000,
  projects: [
    {
      ...project,
      displayName: 'unit',
      testMatch: ['<rootDir>/**/src/**/*.spec.ts', '<rootDir>/apps/*/test/**/*.spec.ts'],
      // `*.types.spec.ts` are checked by the compiler, together with the sources.
      testPathIgnorePatterns: [...project.testPathIgnorePatterns, '\\.(int|e2e|types)\\.spec\\.ts$'],
    },
    {
      ...project,
      displayName: 'stack',
      testEnvironment: '<rootDir>/tools/jest/stack-environment.mjs',
      testMatch: ['<rootDir>/**/*.int.spec.ts', '<rootDir>/**/*.e2e.spec.ts'],
      globalSetup: '<rootDir>/tools/jest/setup.mjs',
      globalTeardown: '<rootDir>/tools/jest/teardown.mjs',
    },
  ],
};
