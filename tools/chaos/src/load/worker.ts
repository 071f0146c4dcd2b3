// One caller of a practice. It changes only records that it has made, one after the other, so it knows their final state.
import { setTimeout as pause } from 'node:timers/promises';
import type { Effect } from './journal.js';
import { describe, persist, type Caller } from './persist.js';
import type { Call } from './practice.js';

/** An invoice of a worker, with the step that comes next. */
export interface Billed {
  readonly id: string;
  readonly client_id: string;
  readonly amount: string;
  readonly payment: string;
  readonly next: 'draft' | 'item' | 'number' | 'payment' | 'allocation';
}

/** The records that a worker has made. */
export interface Memory {
  readonly clients: string[];
  readonly expenses: string[];
  /** Notes, each with the version and the text of its draft as last saved. */
  readonly notes: { readonly id: string; readonly version: string | null; readonly plan: string }[];
  readonly invoices: Billed[];
  readonly booked: { readonly id: string; readonly client: string }[];
  /** The next time of the practice that is to be booked; its workers share it. */
  readonly times: { next: number };
}

/** A write, and its effects when it is acknowledged. */
export interface Write {
  readonly request: Call;
  /** The status that acknowledges it. */
  readonly expected: number;
  /** The code with which it may be refused. */
  readonly refusal?: string;
  readonly effects: readonly Effect[];
  /** Effects in other services, a moment later. */
  readonly reactions?: readonly Effect[];
  /** Called with the body of the answer when it is acknowledged. */
  readonly remember?: (text: string) => void;
}

/** A read, and a check whether its answer has the expected content. */
export interface Read extends Call {
  readonly isHeld?: (text: string) => boolean;
}

export type Operation = (caller: Caller, memory: Memory) => Write | Read | undefined;

/** Carries out one operation, if the worker has the records for it. */
export async function carryOut(caller: Caller, memory: Memory, operation: Operation): Promise<void> {
  const wanted = operation(caller, memory);
  if (wanted === undefined) return;
  if ('expected' in wanted) return write(caller, wanted);
  const answer = await persist(caller, wanted);
  if (answer !== undefined && (answer.status !== 200 || wanted.isHeld?.(answer.text) === false))
    caller.journal.accuse(`${describe(wanted)} was answered ${answer.status} ${answer.text}`);
}

async function write({ journal, ...caller }: Caller, wanted: Write): Promise<void> {
  const { request, expected, refusal, effects, reactions = [], remember } = wanted;
  const answer = await persist({ journal, ...caller }, request);
  if (answer === undefined) return;
  const isRefused = refusal !== undefined && answer.status === 409 && answer.text.includes(`"${refusal}"`);
  if (isRefused) return journal.refuse();
  if (answer.status !== expected)
    return journal.accuse(`${describe(request)} was answered ${answer.status} ${answer.text}`);
  for (const { id } of effects)
    if (!answer.text.includes(id))
      journal.accuse(`${describe(request)} was answered without ${id}: ${answer.text}`);
  journal.acknowledge([...effects, ...reactions]);
  remember?.(answer.text);
}

/** Works until `ended`, with a pause between operations. */
export async function work(
  caller: Caller,
  memory: Memory,
  { operations, ended, rest }: { operations: readonly Operation[]; ended: AbortSignal; rest: number },
): Promise<void> {
  while (!ended.aborted) {
    const operation = operations[caller.random(operations.length)];
    if (operation) await carryOut(caller, memory, operation);
    await pause(caller.random(rest));
  }
}
