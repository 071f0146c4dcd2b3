import { problemReply, type Reply } from '@practice/bus';
import { Rejection, unknownButRepeatable, unknownOutcome } from '@practice/core';

/** The reply to a request that could not be carried out, also if its service does not reply. */
export function replyOfFailure(error: unknown): Reply<Buffer> {
  if (!(error instanceof Rejection)) throw error;
  const { body, ...reply } = problemReply(error.problem);
  return { ...reply, body: Buffer.from(body) };
}

/** Whether it is not known if a request was carried out. */
export const isUnknown = ({ body }: Pick<Reply<Buffer>, 'body'>): boolean =>
  [unknownOutcome, unknownButRepeatable].some(({ message }) => body.includes(message));
