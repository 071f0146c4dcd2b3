import { problemReply } from '@practice/bus';
import type { RestResponse } from '@practice/query';
import { resultColumns, type FunctionDefinition } from '@practice/resource';
import { notStored } from '../engine/one-time-secrets.js';

/**
 * The response to store under a request's key. A result with a confidential column, such as a new secret, is not stored: a
 * repeated request learns only that the first one was carried out.
 */
export const storableResponse = (definition: FunctionDefinition, response: RestResponse): RestResponse =>
  Object.values(resultColumns(definition)).some(({ confidential }) => confidential === true)
    ? problemReply(notStored)
    : response;
