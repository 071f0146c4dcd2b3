// `Prefer: change-id=body`: the change of a write as a part of its body, for callers that cannot read headers.

import type { Reply } from '@practice/bus';
import { isSuccess } from '@practice/core';
import { JSON_TYPE } from '../http/responses.js';
import { type Call, isRead } from '../parse/parse.js';

const APPLIED = 'change-id=body';
const IS_JSON = /^application\/(?:[\w.-]+\+)?json/;

const NO_CONTENT = 204;
const OK = 200;

/**
 * The reply of a write as `{"data": …, "change_id": …}`, if the caller prefers that. `data` is the usual body, or null without a
 * body; `change_id` is the value of `Change-Id`, or null if nothing has changed. Refusals and CSV stay as they are.
 */
export function withChangeInBody(call: Call, reply: Reply<Buffer>): Reply<Buffer> {
  const { status, headers, body } = reply;
  const type = headers['Content-Type'] ?? JSON_TYPE;
  if (!prefersIt(call) || !isSuccess(status) || !IS_JSON.test(type)) return reply;
  const data = body.length === 0 ? 'null' : body;
  const change = JSON.stringify(headers['Change-Id'] ?? null);
  const { 'Preference-Applied': applied, ...others } = headers;
  return {
    status: status === NO_CONTENT ? OK : status,
    headers: {
      ...others,
      'Content-Type': type,
      'Preference-Applied': applied === undefined ? APPLIED : `${applied}, ${APPLIED}`,
    },
    body: Buffer.concat([Buffer.from('{"data":'), Buffer.from(data), Buffer.from(`,"change_id":${change}}`)]),
  };
}

const prefersIt = (call: Call): boolean =>
  call.request.preferences['change-id'] === 'body' &&
  (call.kind === 'function' ? call.definition.effect === 'writes' : !isRead(call));
