import { Injectable, type Type } from '@nestjs/common';
import type { Identity } from '@practice/core';
import type { Repeatable, RestResponse } from '@practice/query';
import type { ArgumentsOf, FunctionDefinition, ResultOf } from '@practice/resource';
import type { MirrorAnswer, MirrorMatch } from '@practice/mirror';
import type { Answered } from '../engine/decision-input.js';
import type { Decision } from '../engine/decision.js';
import type { Resumable } from '../engine/group/resumable.js';
import type { PracticeView } from '../engine/group/practice-view.js';
import type { RecordTransaction } from '../engine/record-transaction.js';
import type { Origin } from '../engine/write.command.js';

/** A part of a batch that is taken back: its caller was free to make it, so no other right is needed. */
export interface TakingBack {
  /** The key of its response, which is forgotten. */
  readonly repeatable: Repeatable;
  /** The response to repetitions of the batch from now on; null if the batch may be carried out again. */
  readonly replacement: RestResponse | null;
  /** Whether the part stays if another attempt at the batch has made or repeated it. */
  readonly onlyOwn: boolean;
}

/** A call of a function as its handler sees it. */
export interface FunctionCall extends Pick<
  Origin,
  'requestId' | 'traceparent' | 'reason' | 'deadline' | 'gone'
> {
  readonly caller: Identity;
  /** The response shows at most this many of the first rows of the result. Absent if it depends on all of them. */
  readonly most?: number;
  /** Given if the call undoes a part of a batch that the same request has made. */
  readonly takesBack?: TakingBack;
  /** Given for a function whose work the gateway continues after the response: the secret that names the work. */
  readonly workSecret?: string | undefined;
}

/** A call of a function that writes: everything that it does in the transaction is committed or rolled back together. */
export interface WritingCall extends FunctionCall {
  /** Holds the lock of the caller's practice. */
  readonly transaction: RecordTransaction;
  /** Adds work for the end of the transaction, right before the commit: an error rolls back. A dry run does none of it. */
  readonly beforeCommit: (work: () => Promise<void>) => void;
  /** Adds work for after the commit, such as a mail or a message to the gateways. A dry run does none of it. */
  readonly afterCommit: (work: () => unknown) => void;
}

/** Carries out a function. Arguments are checked, and the caller may call the function. */
export interface FunctionHandler<F extends FunctionDefinition = FunctionDefinition> {
  /** Asks other services before the transaction, in which nothing may wait for them. Its errors refuse the call. */
  before?(args: ArgumentsOf<F>, call: FunctionCall): Promise<void>;
  /** The practices beside the caller's that the call may change: see `RecordTransaction.within`. */
  otherPractices?(args: ArgumentsOf<F>, call: FunctionCall): Promise<readonly string[]> | readonly string[];
  call(
    args: ArgumentsOf<F>,
    call: F extends { readonly effect: 'reads' } ? FunctionCall : WritingCall,
  ): Promise<ResultOf<F>> | ResultOf<F>;
}

/** A call of a function that takes part in a group of writes. */
export interface DecidingCall extends FunctionCall {
  /** Loads the stored values of the practice. */
  readonly view: PracticeView;
  /** Decides about records: the events of the call. */
  readonly decision: Decision;
  /** Records of another service as their owner has them, which may be newer than the mirror. */
  readonly ask: (matches: readonly MirrorMatch[]) => Answered;
  /** The If-Match header. */
  readonly ifMatch?: string | undefined;
  /** The arguments that the caller named. An omitted argument is null too, but only an explicit null clears a value. */
  readonly named: ReadonlySet<string>;
}

/** How a function decides: with its result, or with the records that other services must be asked about first. */
export type FunctionDecision<Result> =
  | { readonly kind: 'unknown records'; readonly entries: readonly MirrorAnswer[] }
  | { readonly kind: 'decided'; readonly result: Result };

/**
 * Carries out a function that writes records of the service, in a group like any write. It may be begun again for one call, so it
 * depends on the view only. Nothing that it decides is kept if it throws. Side effects of writes (`WriteEffect`) are not run.
 */
export interface DecidingHandler<F extends FunctionDefinition = FunctionDefinition> {
  decide(args: ArgumentsOf<F>, call: DecidingCall): Resumable<FunctionDecision<ResultOf<F>>>;
}

const handled = new WeakMap<object, FunctionDefinition>();

/** Declares the function that a class carries out; the class is a provider of its service. */
export const Handles =
  <F extends FunctionDefinition>(definition: F) =>
  <C extends Type<FunctionHandler<F> | DecidingHandler<F>>>(handler: C): void => {
    Injectable()(handler);
    handled.set(handler, definition);
  };

/** The function of a handler's class; undefined for any other value. */
export const handledBy = (value: unknown): FunctionDefinition | undefined =>
  typeof value === 'function' ? handled.get(value) : undefined;
