import { Command, Query } from '@nestjs/cqrs';
import type { OauthRequest } from '@practice/contracts';
import type { Identity } from '@practice/core';
import type { Fields } from './fields.js';

/** The request that a change comes from, kept with its events. */
interface RequestTrace {
  readonly requestId: string;
  readonly traceparent?: string;
}

/** A call of the auth API. The gateway has checked the API key, the token and the rate limit. */
export interface AccountCall {
  /**
   * The signed-in user.
   * @throws {Rejection} when the call has none, as on routes that need no user
   */
  readonly identity: Identity;
  readonly trace: RequestTrace;
  readonly method: string;
  /** The `:id` of the path. */
  readonly id: string;
  readonly parameters: URLSearchParams;
  /** The caller's network address. */
  readonly address: string;
  /** A request of the OAuth protocol, unchanged. */
  readonly protocol?: OauthRequest | undefined;
  readonly body: Buffer;
  /** The tokens will be set as cookies. */
  readonly isForCookies: boolean;
  /**
   * The members of the body.
   * @throws {Rejection} `bad_json` when it is not a JSON object
   */
  readonly fields: () => Fields;
}

/** The response to a call; 200 unless `status` is given. */
export interface AccountReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /** The session whose tokens are in the reply, for the log and the security events. */
  readonly signedIn?: Identity;
  /** How its user has signed in: `password`, `otp`, `passkey`, `totp`, `mfa/recovery_code`. */
  readonly methods?: readonly string[];
}

/** A call that changes state. */
export abstract class AccountCommand extends Command<AccountReply> {
  constructor(readonly call: AccountCall) {
    super();
  }
}

/** A call that reads. */
export abstract class AccountQuery extends Query<AccountReply> {
  constructor(readonly call: AccountCall) {
    super();
  }
}

/** Carries out one kind of call. */
export interface AccountHandler<Call extends AccountCommand | AccountQuery> {
  execute(call: Call): Promise<AccountReply>;
}

/** The injection token of the process's counters. */
export const COUNTERS = Symbol('counters');
