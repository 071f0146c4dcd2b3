import { Inject, Injectable } from '@nestjs/common';
import type { Verified } from '@practice/authentication';
import type { OutgoingEnvelope, Reply, Requester } from '@practice/bus';
import { type AccountEnvelope, type AccountRouteName, NAMED_CODES } from '@practice/contracts';
import { traceparentFor } from '../http/observe.js';
import type { HttpRequest } from '../http/request.js';
import { ACCOUNT_REQUESTER } from '../services/requesters.js';

/** A call of the auth API that a page makes for its visitor. */
interface PageCall {
  readonly route: AccountRouteName;
  readonly method: 'GET' | 'POST';
  readonly id?: string;
  readonly query?: string;
  readonly verified?: Verified | undefined;
  readonly body?: object;
}

/** The response to a call that a page makes. */
export interface Asked {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
  /** The message of an error; otherwise empty. */
  readonly message: string;
}

/** Sends calls of the auth API to the identity service, which implements the rules. */
@Injectable()
export class AuthCalls {
  constructor(@Inject(ACCOUNT_REQUESTER) private readonly requester: Requester) {}

  /** Forwards a request. Resolves with any status. @throws {Rejection} PM503 or PM504 if identity does not reply */
  forward(
    request: HttpRequest,
    call: Omit<AccountEnvelope, 'address'>,
    body: string | Uint8Array,
  ): Promise<Reply<Buffer>> {
    const traceparent = traceparentFor(request.stage);
    const envelope: OutgoingEnvelope<AccountEnvelope> = {
      ...call,
      ...{ op: 'account', requestId: request.id, address: request.ip },
      ...(traceparent !== undefined && { traceparent }),
    };
    return this.requester.request('identity', envelope, body);
  }

  /** Makes a call for the visitor of a page. Resolves with any status. */
  async call(request: HttpRequest, { verified, body, query = '', ...named }: PageCall): Promise<Asked> {
    const identity = verified?.identity ?? null;
    const call = { ...named, query, identity, apiVersion: NAMED_CODES, isForCookies: true };
    const text = body === undefined ? '' : JSON.stringify(body);
    const { status, body: answer } = await this.forward(request, call, text);
    const json = (answer.length === 0 ? {} : JSON.parse(answer.toString())) as Asked['json'];
    return { status, json, message: String(json['message'] ?? '') };
  }

  /** Passes the second factor of a session with a code of the first verified authenticator app. */
  async passFactor(request: HttpRequest, verified: Verified | undefined, code: string): Promise<Asked> {
    const user = await this.call(request, { route: 'user', method: 'GET', verified });
    const factors = (user.json['factors'] ?? []) as readonly { id: string; status: string }[];
    const id = factors.find(({ status }) => status === 'verified')?.id;
    if (id === undefined)
      return user.status < 400 ? { ...user, status: 400, message: 'There is no factor' } : user;
    const challenge = await this.call(request, { route: 'challengeFactor', method: 'POST', id, verified });
    const body = { challenge_id: challenge.json['id'], code };
    return this.call(request, { route: 'verifyFactor', method: 'POST', id, verified, body });
  }
}
