// Writes the results of each project of Jest to `.cache/specs`, where the end of `npm test` reads them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const resultsFolder = join(import.meta.dirname, '..', '..', '.cache', 'specs');

export const resultsOf = (project) => join(resultsFolder, `${project}.json`);

export default class Results {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(contexts, { testResults }) {
    for (const project of new Set([...contexts].map(({ config }) => config.displayName.name))) {
      const own = testResults.filter(({ displayName }) => displayName?.name === project);
      const specs = own.map(({ testFilePath, perfStats, testExecError, ...counts }) => ({
        file: relative(this.rootDir, testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
        passed: counts.numPassingTests,
        // A file that does not load has no tests.
        failed: counts.numFailingTests + (testExecError && counts.numFailingTests === 0 ? 1 : 0),
        skipped: counts.numPendingTests + counts.numTodoTests,
      }));
      mkdirSync(resultsFolder, { recursive: true });
      writeFileSync(resultsOf(project), JSON.stringify(specs));
    }
  }
}
