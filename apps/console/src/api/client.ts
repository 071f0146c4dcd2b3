// The only client of the API. Screens use it through `read` and `write`.

import { answerHeaders, type Database, pagesOf } from '@practice/client-types';
import { createClient } from '@supabase/supabase-js';

const meta = document.querySelector<HTMLMetaElement>('meta[name=apikey]');
export const apikey = meta?.content ?? '';
/** The address of the API. This page is below it. */
export const baseUrl = new URL('..', document.baseURI).href.replace(/\/$/, '');

/** An error of the API. */
export interface Problem {
  readonly message: string;
  readonly code?: string | undefined;
  /** A text; with `PM002`, the conflicting appointments. */
  readonly details?: string | readonly { readonly id: string }[] | null;
  readonly hint?: string | null;
}

export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** A request of supabase-js that is not sent yet. */
export interface Call extends PromiseLike<{ readonly data: unknown; readonly error: Problem | null }> {
  setHeader(name: string, value: string): unknown;
  abortSignal?(signal: AbortSignal): unknown;
}
/** The past instant whose state is read, or null for now; when the read may be sent, and the signal that ends it. */
export interface When {
  readonly asOf: string | null;
  readonly due?: Promise<void>;
  readonly signal?: AbortSignal;
}
const NOW: When = { asOf: null };
/** The data of a successful response. */
export type DataOf<Request> = Extract<Awaited<Request>, { readonly error: null }>['data' &
  keyof Awaited<Request>];

const KEY = 'Idempotency-Key';

let heard = (): void => {};
let refused: (problem: Problem) => void = () => {};
/** Sets the listener that is called when the API does not accept the session. */
export const onRefused = (listener: (problem: Problem) => void): void => void (refused = listener);
/** Sets the listener that is called after each successful write. */
export const onWrite = (listener: () => void): void => void (heard = listener);

const headers = answerHeaders(noted);
export const api = createClient<Database>(baseUrl, apikey, {
  global: { fetch: headers.fetch },
  auth: { storageKey: 'practice' },
});

async function noted(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, await keyed(input, init));
  // Behind the proxy, a write may have been executed.
  if (response.status >= 500 && !/json/.test(response.headers.get('content-type') ?? ''))
    throw new TypeError('network: a proxy has answered');
  const resource = /\/rest\/v1\/(\w+)/.exec(String(input instanceof Request ? input.url : input))?.[1];
  if (response.headers.has('change-id') && resource) heard();
  if (response.status === 401 && resource) refused((await response.clone().json()) as Problem);
  return response;
}

/** Adds a hash of the request to its idempotency key, so that only the same request has the same key. */
async function keyed(input: RequestInfo | URL, init?: RequestInit): Promise<RequestInit | undefined> {
  const headers = new Headers(init?.headers);
  const attempt = headers.get(KEY);
  if (attempt === null) return init;
  const text = new TextEncoder().encode([init?.method, input, init?.body].join('\n'));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  headers.set(KEY, `${attempt} ${hash.join('.')}`);
  return { ...init, headers };
}

/**
 * The names of the resources and histories in the description of the API, in its order.
 * @throws {ApiError} with the error of the API
 */
export async function resourceNames(): Promise<string[]> {
  const response = await fetch(`${baseUrl}/rest/v1/`, { headers: { apikey } });
  const answer: unknown = await response.json();
  if (!response.ok) throw new ApiError(answer as Problem);
  return Object.keys((answer as { readonly paths: object }).paths).flatMap(
    (path) => /^\/(\w+)$/.exec(path)?.[1] ?? [],
  );
}

function readAt<Request extends Call>(call: Request, { asOf, signal }: When): Request {
  if (asOf !== null) call.setHeader('Prefer', `as-of="${asOf}"`);
  if (signal) call.abortSignal?.(signal);
  return call;
}

/**
 * The data of a read.
 * @throws {ApiError} with the error of the API
 */
export async function read<Request extends Call>(call: Request, when = NOW): Promise<DataOf<Request>> {
  await when.due;
  const { data, error } = await readAt(call, when);
  if (error) throw new ApiError(error);
  return data as DataOf<Request>;
}

type Rows<Row> = Call & PromiseLike<{ readonly data: Row[] | null; readonly error: Problem | null }>;

/**
 * The first rows of a read, in one request for each 1,000 rows.
 * @throws {ApiError} with the error of the API
 */
export async function readRows<Row>(
  call: { limit(most: number): Rows<Row> },
  most: number,
  when = NOW,
): Promise<Row[]> {
  if (most <= 1000) return read(call.limit(most), when) as Promise<Row[]>;
  const rows: Row[] = [];
  await when.due;
  try {
    for await (const page of pagesOf(readAt(call.limit(most), when))) if (rows.push(...page) >= most) break;
  } catch (error) {
    throw new ApiError((error as Error).cause as Problem);
  }
  return rows.slice(0, most);
}

export interface Written<Data> {
  readonly data: Data | null;
  readonly problem: Problem | null;
  /** The id for an undo; null if nothing has changed. */
  readonly changeId: string | null;
}

/**
 * Sends a write.
 * @param attempt begins the idempotency key, which ends with a hash of the request. The API executes the same request of the
 *   same attempt once.
 */
export async function write<Request extends Call>(
  call: Request,
  attempt: string,
): Promise<Written<DataOf<Request>>> {
  call.setHeader(KEY, attempt);
  const { data, error, changeId } = await headers.of(call);
  return { data: data as DataOf<Request> | null, problem: error, changeId };
}

/** Whether no response of the API has arrived. */
const isUnsent = ({ message, code }: Problem): boolean => !code && /fetch|network|load failed/i.test(message);

/** Whether the first request with the key still runs. `PM005` has other meanings, which are final. */
const isRunning = ({ message, code }: Problem): boolean => code === 'PM005' && /still running/.test(message);

/** Whether no response says if a write was executed. */
export const isUnanswered = (problem: Problem): boolean =>
  isUnsent(problem) || isRunning(problem) || problem.code === 'PM503' || problem.code === 'PM504';

/** Whether Postgres ended a read after its time limit. */
const isTooSlow = ({ code }: Problem): boolean => code === '57014';

/** Seconds after which a refused read may succeed; undefined if a repetition is of no use. */
export const secondsUntilRetry = (problem: Problem): number | undefined =>
  isUnanswered(problem) || problem.code === 'PM004' || isTooSlow(problem)
    ? Number(/after (\d+) second/.exec(String(problem.details))?.[1] ?? 5)
    : undefined;

/** A problem as users see it. A plain message replaces technical ones. */
export function plain(problem: Problem): Problem {
  if (isUnsent(problem)) return { message: 'The server cannot be reached.' };
  return isTooSlow(problem) ? { message: 'The server took too long to answer.' } : problem;
}
