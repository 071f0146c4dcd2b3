import { problemReply } from '@practice/bus';
import type { RestResponse } from '@practice/query';
import { resultColumns } from '@practice/resource';
import type { FunctionDefinition } from '@practice/resource';
import { notKept } from '../engine/give-once.js';

/**
 * The response to keep under a request's key. A result with a confidential column, such as a new secret, is not stored: a
 * repeated request learns only that the first one was carried out.
 */
export const keptAnswer = (definition: FunctionDefinition, answer: RestResponse): RestResponse =>
  Object.values(resultColumns(definition)).some(({ confidential }) => confidential === true)
    ? problemReply(notKept)
    : answer;
