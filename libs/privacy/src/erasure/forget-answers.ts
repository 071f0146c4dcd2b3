import { problemBody, problemFor } from '@practice/core';
import type { Statement } from '@practice/log';
import { idempotencyOf } from '@practice/storage';

/**
 * SQL that erases the stored responses of a practice that have a body. All are erased, because a body may name a client without its
 * id. A repeated request then gets 409: it was carried out, but its response is erased.
 */
export const eraseIdempotency = (service: string, therapistId: string): Statement => ({
  text: `UPDATE ${idempotencyOf(service)} SET status = $2, headers = $3, body = $4 WHERE therapist_id = $1 AND body IS NOT NULL`,
  values: [
    therapistId,
    responseErased.status,
    JSON.stringify({ 'Content-Type': 'application/json; charset=utf-8' }),
    problemBody(responseErased),
  ],
});

const responseErased = problemFor('PM005', {
  message: 'the request was carried out, and its response has been erased',
  details: 'A client of the practice was erased since, and stored responses with it.',
  hint: null,
});
