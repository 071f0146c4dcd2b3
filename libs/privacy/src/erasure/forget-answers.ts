import { problemBody, problemFor, type Problem } from '@practice/core';
import type { Statement } from '@practice/log';
import { GIVEN_UP, idempotencyOf, MADE_BY } from '@practice/storage';

/**
 * SQL that erases the stored responses of a practice that have a body. All are erased, because a body may name a client without its
 * id. A repeated request then gets 409: its response is erased. The id of the change and the attempt are kept: a batch is taken back
 * by them.
 */
export const eraseIdempotency = (service: string, therapistId: string): Statement => ({
  text: `UPDATE ${idempotencyOf(service)} SET status = $2, body = CASE WHEN status < 400 THEN $4 ELSE $5 END,
  headers = jsonb_strip_nulls($3::jsonb || jsonb_build_object('Change-Id', headers -> 'Change-Id', '${MADE_BY}', headers -> '${MADE_BY}'))
WHERE therapist_id = $1 AND body IS NOT NULL AND NOT headers ? '${GIVEN_UP}' AND NOT (status = $2 AND body LIKE $6)`,
  values: [
    therapistId,
    carriedOut.status,
    JSON.stringify({ 'Content-Type': 'application/json; charset=utf-8' }),
    problemBody(carriedOut),
    problemBody(refused),
    // A refusal with this code names no client, and the request may have been carried out.
    '{"code":"PM005"%',
  ],
});

const erased = (outcome: string): Problem =>
  problemFor('PM005', {
    message: `the request was ${outcome}, and its response has been erased`,
    details: 'A client of the practice was erased since, and stored responses with it.',
    hint: null,
  });

const carriedOut = erased('carried out');
const refused = erased('refused');
