// One message to the assistant's endpoint, as its handlers see it.

import { type Problem, Rejection } from '@practice/core';
import type { InnerCalls } from './inner-calls.js';
import type { ProposalStore } from './proposal-store.js';

/** One message, with the store of its proposals and the address of the page on which a person confirms them. */
export interface Writing {
  readonly calls: InnerCalls;
  readonly store: ProposalStore;
  readonly baseUrl: string;
  readonly requestId: string;
  /** The `Idempotency-Key` of the message. */
  readonly key?: string | undefined;
}

/** The requests of one message, and the reasons for which the endpoint answers in place of the protocol. */
export interface Session extends Writing {
  /** The scope that a refused call lacks. */
  lacks?: string;
  /** An error that is not a refusal. The protocol would show its message to the client, and log nothing for the operator. */
  defect?: Error;
}

/** The problem of a refused request. @throws {Error} anything else, which the endpoint then answers and logs as a failure */
export function refusalIn(error: unknown, session: Session): Problem {
  if (error instanceof Rejection) return error.problem;
  session.defect = error as Error;
  throw error;
}
