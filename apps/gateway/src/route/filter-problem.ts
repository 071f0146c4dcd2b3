import type { Reply } from '@practice/bus';
import { catalog } from '@practice/contracts';
import { type Problem, problemBody } from '@practice/core';
import { withFilterNamed } from '@practice/query';
import type { Call } from '../parse/parse.js';

const BAD_REQUEST = 400;

/** The reply that names the column of a filter whose value Postgres cannot read. Other replies stay as they are. */
export function replyWithFilterNamed(call: Call, reply: Reply<Buffer>): Reply<Buffer> {
  if (reply.status !== BAD_REQUEST || call.kind !== 'records') return reply;
  const problem = JSON.parse(reply.body.toString()) as Problem;
  const named = withFilterNamed(problem, { ...call, catalog });
  return named === problem ? reply : { ...reply, body: Buffer.from(problemBody(named)) };
}
