// Responses that several services make: asks each for its part, as the composition says, and puts them together.

import { catalog } from '@practice/contracts';
import type { AskedHead, Reply, Requester } from '@practice/messaging';
import { isCrossService, parseRequest, planComposition, mergeBody } from '@practice/query';
import type { Composition, RestRequest } from '@practice/query';
import type { Resource } from '@practice/resource';
import type { RestHead } from '@practice/service';
import { KeysOfParts } from './keys-of-parts.js';
import { checkSize, Parts, Refused } from './parts.js';
import { rowsOfReply, RowsOfParts } from './rows-of-parts.js';

type Head = AskedHead<RestHead>;

/** Rows of the answer are the owners' matter: here nothing is compiled that is bounded by this. */
const MAX_ROWS = 1000;
const NO_BODY = new Uint8Array();
const FIRST_ERROR_STATUS = 300;

/** Whether the answer to a request has records of several services in it. */
export function isComposed(resource: Resource, { method, query, headers }: Head): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  const isAnswered = isRead || headers.prefer?.includes('return=representation') === true;
  return isAnswered && isCrossService(resource, query, catalog);
}

export class Composer {
  constructor(private readonly requester: Requester) {}

  /**
   * The whole answer to a request to a service, or the first refusal of any part.
   * @throws {Rejection} as the request would be refused within one service; 503 when any service of it is away
   */
  async answer(service: string, head: Head, body: Uint8Array): Promise<Reply<Buffer>> {
    try {
      return await this.composed(service, head, body);
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  private async composed(service: string, head: Head, body: Uint8Array): Promise<Reply<Buffer>> {
    const composition = compositionOf(head);
    if (composition === null) return this.requester.request(service, head, body);
    const parts = new Parts(this.requester, head);
    const keys = new KeysOfParts(parts, composition.keys);
    const rows = new RowsOfParts(parts, keys);
    if (!isRead(head)) await rows.rehearse(composition.root);
    const semiJoinKeys = await keys.of(composition.root.needs);
    checkSize(semiJoinKeys);
    const reply = await this.requester.request(service, { ...head, semiJoinKeys }, body);
    const isWhole = !composition.isComposed || reply.status >= FIRST_ERROR_STATUS || reply.body.length === 0;
    return isWhole ? reply : { ...reply, body: await this.merged(composition, rows, reply) };
  }

  private async merged(composition: Composition, rows: RowsOfParts, reply: Reply<Buffer>): Promise<Buffer> {
    const found = await rows.merged(composition.root, rowsOfReply(reply));
    return Buffer.from(mergeBody(composition, found));
  }
}

const isRead = ({ method }: Head): boolean => method === 'GET' || method === 'HEAD';

/** @returns null for a write that gives nothing back */
function compositionOf(head: Head): Composition | null {
  const { method, therapistId } = head;
  const parsed = parseRequest(isRead(head) ? { ...head, body: NO_BODY } : withoutBody(head));
  const context = { catalog, therapistId, maxRows: MAX_ROWS, semiJoinKeys: [] };
  return planComposition({ ...parsed, method: method as typeof parsed.method }, context);
}

/** The body of a write, and what its headers say of it, are its owner's matter: it is parsed as if it were a read. */
const withoutBody = ({ resource, query, headers: { prefer, accept } }: Head): RestRequest => ({
  method: 'GET',
  resource,
  query,
  headers: { prefer, accept },
  body: NO_BODY,
});
