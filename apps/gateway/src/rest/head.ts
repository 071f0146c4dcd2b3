import { reject } from '@practice/core';
import type { Identity } from '@practice/core';
import type { AskedHead } from '@practice/messaging';
import type { RestHead } from '@practice/service';
import { traceparentOf } from '../http/request-id.js';
import { queryOf } from '../http/request.js';
import type { HttpRequest } from '../http/request.js';
import { withoutApiKey } from './resource-path.js';

/** What the owner of a resource is told of a request beside its body; of the headers, those the dialect reads. */
export function headOf(request: HttpRequest, resource: string): AskedHead<RestHead> {
  const { headers, method } = request;
  const traceparent = traceparentOf(headers['traceparent']);
  return {
    op: 'rest',
    ...(request.identity as Identity),
    requestId: request.id,
    ...(traceparent === undefined ? {} : { traceparent }),
    method,
    resource,
    query: withoutApiKey(queryOf(request.raw.url ?? '')),
    // What is undefined is left out on the wire.
    idempotencyKey: idempotencyKeyOf(headers['idempotency-key']),
    ifMatch: headers['if-match'],
    ifNoneMatch: headers['if-none-match'],
    headers: {
      prefer: headers['prefer'] as string | undefined,
      accept: headers.accept,
      range: headers.range,
      'content-type': headers['content-type'],
      'accept-profile': headers['accept-profile'] as string | undefined,
      'content-profile': headers['content-profile'] as string | undefined,
    },
  };
}

const MAX_KEY_LENGTH = 255;

/** @throws {Rejection} when the key is longer than any that is kept */
function idempotencyKeyOf(key: string | string[] | undefined): string | undefined {
  if (key === undefined) return undefined;
  if (Array.isArray(key) || key === '' || key.length > MAX_KEY_LENGTH) return reject(badKey);
  return key;
}

const badKey = {
  status: 400,
  code: 'PM400',
  message: `Idempotency-Key must be one value of 1 to ${MAX_KEY_LENGTH} characters`,
};
