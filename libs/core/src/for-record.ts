import { Rejection, type Problem } from './problem.js';

/** The details of a refusal, prefixed with a place, such as the record of a bulk write. In a list, each item has the place in `about`. */
export function detailsOfPlace(place: string, details: Problem['details']): NonNullable<Problem['details']> {
  if (typeof details === 'string' || !details) return details ? `${place}: ${details}` : `${place}.`;
  return details.map(({ about, ...others }) => ({
    about: about === undefined ? place : `${place}: ${about}`,
    ...others,
  }));
}

/** Runs a step for one of several records, and adds the index of the record to a refusal. */
export function forRecord<T>(index: number, count: number, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw aboutRecord(index, count, error);
  }
}

/** As `forRecord`, for long work in steps. */
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
  const { problem } = error;
  return new Rejection({
    ...problem,
    // A caller that shows only the details of a row of its file still sees the column and the format.
    details: detailsOfPlace(`Record at index ${index}`, problem.details ?? `${problem.message}.`),
  });
}
