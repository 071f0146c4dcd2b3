import { describe, expect, it } from '@jest/globals';
import { problemBody } from './problem.js';

const problem = { status: 503, code: 'PM503', message: 'The service is not running' };

describe('the error body', () => {
  it('always has the four keys', () => {
    expect(JSON.parse(problemBody(problem))).toEqual({
      code: 'PM503',
      message: 'The service is not running',
      details: null,
      hint: null,
    });
  });

  it.each([
    ['1', 'Retry after 1 second.'],
    ['56', 'Retry after 56 seconds.'],
  ])('repeats a Retry-After of %s in details', (seconds, details) => {
    const body = problemBody({ ...problem, headers: { 'Retry-After': seconds } });
    expect(JSON.parse(body)).toMatchObject({ details });
  });

  it('keeps the details of the problem if it has any', () => {
    const body = problemBody({ ...problem, details: 'Own details.', headers: { 'Retry-After': '1' } });
    expect(JSON.parse(body)).toMatchObject({ details: 'Own details.' });
  });
});
