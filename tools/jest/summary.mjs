// The end of the output of `npm test`: the slowest specs, the counts of each runner of specs, and their sum.
import { existsSync, readFileSync } from 'node:fs';
import { resultsOf } from './results.mjs';

const SLOWEST = 20;

/**
 * @param {readonly string[]} runners projects of Jest
 * @param {boolean} isComplete whether all of them have succeeded: a runner without results then had no specs
 * @returns the lines. The last one is the sum
 */
export function summary(runners, isComplete) {
  const known = runners.map((name) => ({ name, specs: specsOf(name) }));
  const all = known.flatMap(({ specs }) => specs ?? []);
  const lost = isComplete ? [] : known.filter(({ specs }) => specs === undefined);
  const slowest = [...all].sort((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  return [
    `The slowest specs:`,
    ...slowest.map(({ seconds, file }) => `${seconds.toFixed(1).padStart(8)} s  ${file}`),
    '',
    ...known.flatMap(({ name, specs }) => (specs === undefined ? [] : [`${name}: ${counted(specs)}`])),
    ...lost.map(({ name }) => `${name}: did not end`),
    // A runner that did not end counts as a failure.
    `${sum(all, 'passed')} passed, ${sum(all, 'failed') + lost.length} failed`,
  ];
}

function specsOf(runner) {
  const file = resultsOf(runner);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

const sum = (specs, count) => specs.reduce((total, spec) => total + spec[count], 0);

function counted(specs) {
  const files = specs.filter(({ failed }) => failed > 0).length;
  const counts = ['passed', 'failed', 'skipped'].map((count) => `${sum(specs, count)} ${count}`);
  return `${specs.length - files} files passed, ${files} failed; tests: ${counts.join(', ')}`;
}
