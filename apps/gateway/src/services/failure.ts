import { problemReply, type Reply, unavailable } from '@practice/bus';
import { type Problem, Rejection, unknownButRepeatable, unknownOutcome } from '@practice/core';

/** The reply that refuses a request, as a service sends it. @param more further headers */
export function refusalReply(problem: Problem, more: Reply['headers'] = {}): Reply<Buffer> {
  const { status, headers, body } = problemReply(problem);
  return { status, headers: { ...headers, ...more }, body: Buffer.from(body) };
}

/** The reply to a request that could not be carried out, also if its service does not reply. */
export function replyOfFailure(error: unknown): Reply<Buffer> {
  if (!(error instanceof Rejection)) throw error;
  return refusalReply(error.problem);
}

/** The reply of identity to a request about an export: 200, or 404 if the export has ended. @throws {Rejection} PM503 for any other */
export function exportReply(reply: Reply<Buffer>): Reply<Buffer> {
  if (reply.status === 200 || reply.status === 404) return reply;
  throw unavailable('identity', 'is unavailable');
}

/** The headers of an answer with `count` parts: all changes, and `Idempotency-Replayed` only if all parts were replayed. */
export function headersOfParts(done: readonly Reply<Buffer>[], count: number): Record<string, string> {
  const listed = (name: string): string[] => done.flatMap(({ headers }) => headers[name] ?? []);
  const changes = listed('Change-Id');
  return {
    ...(changes.length > 0 && { 'Change-Id': changes.join(', ') }),
    ...(listed('Idempotency-Replayed').length === count && { 'Idempotency-Replayed': 'true' }),
  };
}

/** Whether it is not known if a request was carried out. */
export const isUnknown = ({ body }: Pick<Reply<Buffer>, 'body'>): boolean =>
  [unknownOutcome, unknownButRepeatable].some(({ message }) => body.includes(message));
