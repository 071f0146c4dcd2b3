import { Rejection } from './problem.js';

/** Runs a step for one of several records; a refusal then names the record by its index. */
export function forRecord<T>(index: number, count: number, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw aboutRecord(index, count, error);
  }
}

/** The same for long work. */
export function* forRecordInSteps<Yielded, T>(
  index: number,
  count: number,
  steps: Generator<Yielded, T, void>,
): Generator<Yielded, T, void> {
  try {
    return yield* steps;
  } catch (error) {
    throw aboutRecord(index, count, error);
  }
}

function aboutRecord(index: number, count: number, error: unknown): unknown {
  if (count === 1 || !(error instanceof Rejection)) return error;
  const { details } = error.problem;
  return new Rejection({
    ...error.problem,
    details: `Record at index ${index}${details ? `: ${details}` : '.'}`,
  });
}
