// Values that only the response to one write shows, such as a new secret. The service stores at most a sealed copy.

import { problemFor } from '@practice/core';
import type { Statement } from '@practice/log';
import { problemReply } from '@practice/bus';
import { showsOneTimeSecret, ONE_TIME_SECRETS_SETTING } from '@practice/query';
import type { RestResponse, WriteTerms } from '@practice/query';

/**
 * The values of columns that are marked `isOneTimeSecret`, for the response of the transaction's write. To be added to the statements of the
 * effect of the write.
 * @param values id of the record → column → value
 */
export const showOneTimeSecrets = (
  values: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Statement => ({
  text: `SELECT set_config('${ONE_TIME_SECRETS_SETTING}', $1, true)`,
  values: [JSON.stringify(values)],
});

/** The response to store under a request's key. A response that may have a one-time secret is not stored. */
export const storableResponse = (
  { returning }: Pick<WriteTerms, 'returning'>,
  response: RestResponse,
): RestResponse =>
  returning !== null && showsOneTimeSecret(returning.select.items) ? problemReply(notStored) : response;

/** A repeated request learns only that the first one was carried out. */
export const notStored = problemFor('PM005', {
  message:
    'the first request with this Idempotency-Key was carried out; its response is confidential and not kept',
});
