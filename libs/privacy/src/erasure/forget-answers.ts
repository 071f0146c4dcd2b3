import { problemBody, problemFor } from '@practice/core';
import type { Statement } from '@practice/log';
import { idempotencyOf } from '@practice/storage';

/**
 * Erases the stored responses of a practice that have a body. A body may name a client without the id, so all of them are erased. A
 * request that is repeated is answered with 409: it was carried out, and its response is gone.
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
