// The answer of a batch that was refused: the refusal of the operation, and what could not be taken back.

import { problemReply, type Reply } from '@practice/bus';
import {
  isServerError,
  problemFor,
  unknownButRepeatable,
  unknownOutcome,
  type Problem,
} from '@practice/core';
import { ofOperation } from '@practice/query';
import { isUnknown } from '../services/failure.js';
import type { Failure, Kept, Sent } from './take-back.js';

/** The answer, which names the changes that are left in its details and in `Change-Id`. */
export function refusedBatch(failure: Failure, kept: readonly Kept[]): Reply<Buffer> {
  const problem = withKept(problemOf(failure, kept), kept);
  const changes = kept.flatMap(({ sent: { changeId } }) => changeId ?? []).reverse();
  const { body, headers, ...reply } = problemReply(problem);
  return {
    ...reply,
    headers: { ...headers, ...(changes.length > 0 && { 'Change-Id': changes.join(', ') }) },
    body: Buffer.from(body),
  };
}

function problemOf({ sent, reply, isRepeatable }: Failure, kept: readonly Kept[]): Problem {
  const last = sent.at(-1) as Sent;
  const [operation] = last.part.operations as [(typeof last.part.operations)[number]];
  if (!isServerError(reply.status)) return readProblem(reply);
  const isOpen = kept.some(({ sent: one }) => one === last);
  if (isUnknown(reply) && isOpen)
    return ofOperation(isRepeatable ? unknownButRepeatable : unknownOutcome, operation);
  const { details: _, ...problem } = isUnknown(reply) ? noAnswer(last) : readProblem(reply);
  // A repetition without a key would do again what could not be taken back.
  const { 'Retry-After': after, ...headers } = problem.headers ?? {};
  const mayRepeat = after !== undefined && (kept.length === 0 || isRepeatable);
  return ofOperation(
    { ...problem, headers: { ...headers, ...(mayRepeat && { 'Retry-After': after }) } },
    operation,
  );
}

const noAnswer = ({ part: { service } }: Sent): Problem =>
  problemFor('PM503', {
    message: `The ${service} service did not reply in time`,
    headers: { 'Retry-After': '1' },
  });

/** Headers that belong to a problem, apart from its body. */
const OWN_HEADERS = ['Retry-After', 'Allow'];

function readProblem({ status, headers, body }: Reply<Buffer>): Problem {
  const own = Object.entries(headers).filter(([name]) => OWN_HEADERS.includes(name));
  return { ...(JSON.parse(body.toString()) as Problem), status, headers: Object.fromEntries(own) };
}

function withKept(problem: Problem, kept: readonly Kept[]): Problem {
  if (kept.length === 0) return problem;
  const left = kept.map(sentenceOf).reverse().join(' ');
  return {
    ...problem,
    details: withSentence(problem.details ?? '', left),
    hint: 'Take the changes that are left back by rpc/undo, or go on from them.',
  };
}

const withSentence = (
  details: NonNullable<Problem['details']>,
  left: string,
): NonNullable<Problem['details']> =>
  typeof details === 'string' ? `${details} ${left}`.trim() : [...details, { about: left }];

function sentenceOf({ sent: { part, changeId }, reply }: Kept): string {
  const numbers = part.operations.map(({ number }) => number);
  const [first, last] = [numbers[0], numbers.at(-1)];
  const which = first === last ? `operation ${first}` : `operations ${first} to ${last}`;
  const change = changeId === undefined ? '' : ` (change ${changeId})`;
  const { message } = readProblem(reply);
  return `Not taken back: ${which} in ${part.service}${change}: ${message}.`;
}
