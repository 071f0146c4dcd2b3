// wrk, a load generator in C: each connection has one request in flight. A generator in Node took as much of the processors as the
// product, which hid half of every difference between two versions.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath, run } from '@practice/operator';
import type { HttpRequest, LoadResult } from './protocol.js';

export interface Saturate {
  readonly origin: string;
  /** Sent in turn. After the last request, the first one follows again. */
  readonly requests: readonly HttpRequest[];
  readonly connections: number;
  readonly seconds: number;
  /** Statuses other than 2xx that count as answers, such as 429 for a practice that floods. */
  readonly refusals?: readonly number[];
  readonly signal: AbortSignal;
}

/** The script of wrk. Requests are in a file, separated by NUL. `thread:get` reads only globals. */
const SCRIPT = `
local threads, list, at, allowed = {}, {}, 0, {}
wrong, status = 0, 0
function setup(thread) table.insert(threads, thread) end
function init(args)
  for one in io.open(args[1], 'rb'):read('*a'):gmatch('[^%z]+') do list[#list + 1] = one end
  for index = 2, #args do allowed[tonumber(args[index])] = true end
end
function request()
  at = at % #list + 1
  return list[at]
end
function response(code)
  if (code < 200 or code > 299) and not allowed[code] then wrong, status = wrong + 1, code end
end
function done(summary, latency)
  local thread, errors = threads[1], summary.errors
  print(string.format('{"completed":%d,"us":%d,"p50":%d,"p99":%d,"wrong":%d,"status":%d,"broken":%d}', summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), thread:get('wrong'), thread:get('status'), errors.connect + errors.read + errors.write + errors.timeout))
end
`;

/** Times are in microseconds. `wrong` answers have a wrong status; `status` is the last one. `broken` requests have no answer. */
type Printed = Record<'completed' | 'us' | 'p50' | 'p99' | 'wrong' | 'status' | 'broken', number>;

/** Sends as many requests as the connections get answered. @throws {Error} when a request has no answer or a wrong status */
export async function saturate(order: Saturate): Promise<LoadResult> {
  const { origin, requests, connections, seconds, refusals = [], signal } = order;
  const folder = mkdtempSync(join(tmpdir(), 'practice-wrk-'));
  const [script, list] = ['script.lua', 'requests'].map((name) => join(folder, name)) as [string, string];
  try {
    writeFileSync(script, SCRIPT);
    const { host } = new URL(origin);
    writeFileSync(list, requests.map((request) => textOf(host, request)).join('\0'));
    const load = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--timeout', '20s', '-s', script];
    const args = [...load, origin, '--', list, ...refusals.map(String)];
    const printed = await run('wrk', args, { signal });
    const { completed, us, p50, p99, ...failed } = JSON.parse(
      printed.trim().split('\n').at(-1) ?? '',
    ) as Printed;
    if (failed.wrong > 0) throw new Error(`${failed.wrong} requests failed: status ${failed.status}`);
    if (failed.broken > 0) throw new Error(`${failed.broken} requests were not answered`);
    return { completed, seconds: us / 1e6, p50: p50 / 1000, p99: p99 / 1000 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function textOf(host: string, { method, path, headers, body = '' }: HttpRequest): string {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host, ...headers, ...length }).map(([name, value]) => `${name}: ${value}`);
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

/** Installs wrk if it is missing. @throws {Error} when it cannot be installed */
export function requireWrk(): void {
  if (programPath('wrk') !== undefined) return;
  try {
    execFileSync('apt-get', ['install', '-qq', '-y', 'wrk'], { stdio: 'ignore' });
  } catch {
    throw new Error('The benchmark needs wrk: apt-get install wrk, or brew install wrk.');
  }
}
