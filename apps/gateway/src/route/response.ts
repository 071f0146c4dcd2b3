import type { Reply } from '@practice/bus';
import type { HttpResponse } from '../http/responses.js';
import { proxyStatus } from '../http/problem-response.js';

const FIRST_ERROR_STATUS = 400;
/** The beginning of an error body. The code is read from the bytes; bodies are not parsed here. */
const CODE = /^\{"code":"(\w{1,16})"/;
const CODE_BYTES = 32;

/** The response for a service's reply: its status, headers and bytes, and `Proxy-Status` for an error. */
export function responseOf(reply: Reply<Buffer>): HttpResponse {
  return reply.status < FIRST_ERROR_STATUS ? reply : withProxyStatus(reply);
}

function withProxyStatus(reply: Reply<Buffer>): HttpResponse {
  const code = CODE.exec(reply.body.toString('latin1', 0, CODE_BYTES))?.[1];
  if (code === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, 'Proxy-Status': proxyStatus(code) } };
}
