// Responses that several services contribute to: asks each for its part, as the composition says, and merges the parts.

import { catalog } from '@practice/contracts';
import { asReader, isSuccess, problemFor, reject } from '@practice/core';
import type { Problem } from '@practice/core';
import type { Reply, Requester } from '@practice/bus';
import { mergeBody } from '@practice/query';
import type { CommandEnvelope, Composition, PreparedComposition, QueryEnvelope } from '@practice/query';
import { isRead } from '../parse/parse.js';
import type { RecordsCall } from '../parse/parse.js';
import { FetchedKeys } from './fetched-keys.js';
import { RelatedRows, rowsOfReply } from './related-rows.js';
import { checkSize, Refused, Subqueries } from './subqueries.js';

type CallEnvelope = QueryEnvelope | CommandEnvelope;

interface ComposedCall extends RecordsCall {
  readonly composition: PreparedComposition;
}

/** A service failed after the write had been committed. With a key, a repetition gets the response. */
const withoutResponse = ({ repeatable }: ComposedCall): Problem =>
  repeatable === undefined
    ? problemFor('PM504', {
        message: 'The write was carried out, but a service that its response needs did not answer',
        hint: 'Do not repeat it. Read the records instead.',
      })
    : problemFor('PM503', {
        message: 'The write was carried out, but a service that its response needs did not answer',
        hint: 'Repeat it with the same Idempotency-Key to get the response.',
        headers: { 'Retry-After': '1' },
      });

export class Composer {
  constructor(private readonly requester: Requester) {}

  /**
   * The whole response, or the first error of any part.
   * @throws {Rejection} as a single service would reject the request; 503 if a service is not available; PM504 if that is so after
   *   the write was carried out
   */
  async reply(call: ComposedCall, envelope: CallEnvelope): Promise<Reply<Buffer>> {
    try {
      return await this.composed(call, envelope);
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  private async composed(call: ComposedCall, envelope: CallEnvelope): Promise<Reply<Buffer>> {
    const { resource, composition: prepared, body } = call;
    const { therapistId, practiceRole } = asReader(envelope.identity);
    const composition = prepared.for({
      catalog,
      therapistId,
      practiceRole,
      semiJoinKeys: [],
    });
    if (composition === null) return this.requester.request(resource.service, envelope, body);
    const subqueries = new Subqueries(this.requester, prepared, envelope);
    const keys = new FetchedKeys(subqueries, composition.keys);
    const rows = new RelatedRows(subqueries, keys);
    if (!isRead(call)) await rows.rehearse(composition.root);
    await rows.checkConditions(composition.unchecked);
    const semiJoinKeys = await keys.of(composition.root.needs);
    checkSize(semiJoinKeys);
    const reply = await this.requester.request(resource.service, { ...envelope, semiJoinKeys }, body);
    const isWhole = !composition.isComposed || !isSuccess(reply.status) || reply.body.length === 0;
    if (isWhole) return reply;
    const merged = this.merged(composition, rows, reply);
    const whole = isRead(call) ? merged : merged.catch(() => reject(withoutResponse(call)));
    return { ...reply, body: await whole };
  }

  private async merged(composition: Composition, rows: RelatedRows, reply: Reply<Buffer>): Promise<Buffer> {
    const found = await rows.merged(composition.root, rowsOfReply(reply));
    return Buffer.from(mergeBody(composition, found));
  }
}
