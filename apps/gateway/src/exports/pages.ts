// Reads a resource page by page on the read path of callers, with the identity of the owner who requested the export.
// Roles, row-level security and the access log apply as they do for any read.

import { setTimeout as wait } from 'node:timers/promises';
import type { Reply, Requester } from '@practice/bus';
import type { Identity } from '@practice/core';
import { parseRequest, type QueryEnvelope, readToWire } from '@practice/query';
import type { Resource } from '@practice/resource';
import type { FairQueues } from '../limits/fair-queues.js';
import { replyOfFailure } from '../services/failure.js';

// The rows of a JSON array as NDJSON. The bytes of each row stay as Postgres wrote them.

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING = new Set([0x7b, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);

/** The rows of an array of objects. @param body the text of the array, without line breaks between tokens */
export function rowsOf(body: Buffer): Buffer[] {
  const rows: Buffer[] = [];
  let depth = 0;
  let begin = 1;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] as number;
    if (byte === QUOTE) at = endOfString(body, at);
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte)) depth -= 1;
    if (depth === 1 && byte === COMMA) {
      rows.push(body.subarray(begin, at));
      begin = at + 1;
    }
  }
  const last = body.subarray(begin, body.lastIndexOf(']'));
  return last.length > 0 ? [...rows, last] : rows;
}

/** The index of the closing quote. */
function endOfString(body: Buffer, opening: number): number {
  let at = opening + 1;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}

const BREAK = Buffer.from('\n');

/** One line for each row, each with its line break. */
export const linesOf = (rows: readonly Buffer[]): Buffer =>
  Buffer.concat(rows.flatMap((row) => [row, BREAK]));

/** The lines of a CSV text after its header, with a line break at the end. */
const withoutHeader = (csv: Buffer): Buffer => csv.subarray(csv.indexOf(BREAK) + 1);

/** The caller on whose behalf an export reads. */
export interface Reader {
  readonly identity: Identity;
  readonly address?: string | undefined;
  readonly requestId: string;
  /** Aborted when the export has ended. */
  readonly signal: AbortSignal;
}

/** The last key of each page of a resource, so that the second format has the same pages. */
export type Bounds = string[];

interface Page {
  readonly resource: Resource;
  readonly query: string;
  readonly accept: 'application/json' | 'text/csv';
}

/** The intended size of a page, which takes a service and this process a few milliseconds. */
const PAGE_BYTES = 256 * 1024;
const FEWEST_ROWS = 10;
const FIRST_ROWS = 50;
const MOST_ROWS = 500;
/** The maximum number of rows of any read. */
const CAP = 1000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
/** How long a service may be unavailable before the export fails. */
const PATIENCE_MS = 120_000;
const OK = 200;

/** A read that was refused, or a service that was unavailable for too long. */
export class UnreadablePage extends Error {}

export class Pages {
  constructor(
    private readonly requester: Requester,
    private readonly queues: FairQueues,
    private readonly reader: Reader,
  ) {}

  /** The rows as NDJSON, in the order of their keys. @param bounds receives the last key of each page */
  async *lines(resource: Resource, bounds: Bounds): AsyncGenerator<Buffer> {
    const key = keyOf(resource);
    for (let limit = FIRST_ROWS; ;) {
      const after = bounds.length === 0 ? '' : `&${key}=gt.${bounds.at(-1)}`;
      const query = `order=${key}&limit=${limit}${after}`;
      const { body } = await this.read({ resource, query, accept: 'application/json' });
      const rows = rowsOf(body);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield linesOf(rows);
      bounds.push(String((JSON.parse(last.toString()) as Record<string, unknown>)[key]));
      if (rows.length < limit) return;
      limit = fitting((rows.length * PAGE_BYTES) / body.length);
    }
  }

  /** The rows as CSV, with one header. @param bounds the keys that `lines` has collected */
  async *csv(resource: Resource, bounds: Bounds): AsyncGenerator<Buffer> {
    const key = keyOf(resource);
    let isFirst = true;
    for (const [index, bound] of bounds.entries()) {
      const after = index === 0 ? '' : `&${key}=gt.${bounds[index - 1]}`;
      // Records may have been added within these bounds, so a page can need more than one read.
      for (let offset = 0, isMore = true; isMore; offset += CAP) {
        const query = `order=${key}${after}&${key}=lte.${bound}&limit=${CAP}&offset=${offset}`;
        const { body, headers } = await this.read({ resource, query, accept: 'text/csv' });
        const count = countIn(headers['Content-Range']);
        if (count > 0) yield Buffer.concat([isFirst ? body : withoutHeader(body), Buffer.from('\n')]);
        if (count > 0) isFirst = false;
        isMore = count === CAP;
      }
    }
  }

  /** Reads a page. Tries again while the service is unavailable or the practice has used up its budget for slow reads. */
  private async read(page: Page): Promise<Reply<Buffer>> {
    const giveUpAt = Date.now() + PATIENCE_MS;
    for (let pause = FIRST_WAIT_MS; ; pause = Math.min(pause * 2, LONGEST_WAIT_MS)) {
      this.reader.signal.throwIfAborted();
      const reply = await this.ask(page);
      if (reply.status === OK) return reply;
      const isPassing = [429, 500, 503, 504].includes(reply.status);
      if (!isPassing || Date.now() > giveUpAt)
        throw new UnreadablePage(`${page.resource.name} could not be read: ${reply.status}`);
      await wait(pause, undefined, { signal: this.reader.signal });
    }
  }

  /** Sends one read, which waits in the queue of its practice like any other. */
  private async ask({ resource, query, accept }: Page): Promise<Reply<Buffer>> {
    const { identity, address, requestId } = this.reader;
    const method = 'GET';
    const request = parseRequest({ method, resource: resource.name, query, headers: { accept }, body: NONE });
    const envelope: QueryEnvelope = {
      ...{ op: 'query', identity, requestId },
      ...(address !== undefined && { address }),
    };
    try {
      const turn = this.queues.enter(envelope);
      try {
        await turn;
        return await this.requester.request(resource.service, envelope, readToWire(request));
      } finally {
        this.queues.leave(envelope);
      }
    } catch (error) {
      return replyOfFailure(error);
    }
  }
}

const NONE = new Uint8Array();

/** The column that orders a resource. A history has the order of its log. */
const keyOf = ({ historyOf }: Resource): string => (historyOf === undefined ? 'id' : 'position');

const fitting = (rows: number): number => Math.min(MOST_ROWS, Math.max(FEWEST_ROWS, Math.floor(rows)));

/** The number of rows of a page, from `0-24/*`. */
function countIn(range = ''): number {
  const [first = '', last] = range.split('/')[0]?.split('-') ?? [];
  return last === undefined ? 0 : Number(last) - Number(first) + 1;
}
