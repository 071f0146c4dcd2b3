// A caller that does not give up: it repeats a request under the same Idempotency-Key until the API accepts or refuses it.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Journal } from './journal.js';
import { ASKS_AGAIN, send, type Answer, type ApiAccess, type Practice, type Call } from './practice.js';

export interface Caller {
  readonly api: ApiAccess;
  readonly practice: Practice;
  readonly journal: Journal;
  /** Returns a whole number from 0 up to, but without, the bound. */
  readonly random: (below: number) => number;
  /** Whether it never disconnects early. */
  readonly isPatient: boolean;
}

/** Longer than any fault takes. */
const GIVES_UP_AFTER = 120_000;
/** The request with this key still runs (409), or the reads of the practice were slow on a busy machine (429): nothing was done. */
const ASKS_TO_WAIT = /"PM00[45]"/;

/**
 * Repeats a request until it has a final answer.
 * @returns `undefined` if no final answer arrived in time, which the journal notes as an error
 */
export async function persist(caller: Caller, request: Call): Promise<Answer | undefined> {
  const key = randomUUID();
  const keyed = { ...request, headers: { ...request.headers, 'idempotency-key': key } };
  for (const began = Date.now(); Date.now() - began < GIVES_UP_AFTER;) {
    const answer = await attempt(caller, keyed);
    if (answer !== undefined && stands(answer)) {
      caller.journal.repeat(Date.now() - began);
      if (answer.status >= 500) caller.journal.accuse(`${describe(request)} was answered ${answer.status}`);
      else return repeated(caller, keyed, answer);
    }
    await pause(20 + caller.random(200));
  }
  caller.journal.accuse(`${describe(request)} got no answer under the key ${key}`);
  return undefined;
}

const stands = ({ status, text }: Answer): boolean =>
  !ASKS_AGAIN.includes(status) && !([409, 429].includes(status) && ASKS_TO_WAIT.test(text));

/** Sends a request once. Some callers disconnect early, as people do: the request may still have been carried out. */
async function attempt(
  { api, practice, journal, random, isPatient }: Caller,
  request: Call,
): Promise<Answer | undefined> {
  const isHasty = !isPatient && random(20) === 0;
  try {
    const answer = await send(api, practice, { ...request, ...(isHasty && { within: 1 + random(20) }) });
    journal.attempt(String(answer.status));
    return answer;
  } catch (error) {
    journal.attempt(!isHasty && (error as Error).name === 'TimeoutError' ? 'unanswered' : 'lost');
    return undefined;
  }
}

/** Sends some of the answered writes again: the second answer must be the same. */
async function repeated(caller: Caller, request: Call, first: Answer): Promise<Answer> {
  if (request.method === 'GET' || caller.random(15) !== 0) return first;
  const second = await attempt(caller, request);
  if (
    second !== undefined &&
    stands(second) &&
    (second.status !== first.status || second.text !== first.text)
  )
    caller.journal.accuse(
      `${describe(request)} was answered ${first.status} ${first.text}, and again under its key ${second.status} ${second.text}`,
    );
  return first;
}

export const describe = ({ method, path, body }: Call): string =>
  `${method} ${path} ${body === undefined ? '' : JSON.stringify(body)}`;
