import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Reply, Requester } from '@practice/bus';
import type { FunctionEnvelope } from '@practice/query';
import type { Logger } from '@practice/process';
import { eventually } from '@practice/testing';
import type { FairQueues } from '../limits/fair-queues.js';
import { ExportController } from './export.controller.js';
import { Exports, partsOf } from './exports.js';
import type { HttpRequest } from '../http/request.js';

describe('the parts of a stream', () => {
  it('contain all bytes in order, and have one size except the last part', async () => {
    const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 40 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(chunks, fc.integer({ min: 1, max: 50 }), async (given, size) => {
        const parts: Buffer[] = [];
        for await (const part of partsOf(Readable.from(given.map((one) => Buffer.from(one))), size))
          parts.push(part);
        expect(Buffer.concat(parts).equals(Buffer.concat(given))).toBe(true);
        expect(parts.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(parts.at(-1)?.length).toBeLessThanOrEqual(size);
        expect(parts.at(-1)?.length).toBeGreaterThan(0);
      }),
    );
  });
});

/** A requester that replies with these statuses, and with 200 after the last one and to reports of the progress. */
const replying = (asked: object[], statuses: number[]): Requester =>
  ({
    request: async (_service: string, envelope: { step?: string }): Promise<Reply<Buffer>> => {
      const begun = { id: 'e', requestedAt: '2030-01-07T09:00:00Z' };
      const isReport = envelope.step === 'continue';
      if (!isReport) asked.push(envelope);
      const status = (isReport ? undefined : statuses.shift()) ?? 200;
      return { status, headers: {}, body: Buffer.from(JSON.stringify(begun)) };
    },
  }) as unknown as Requester;

describe('while the database of identity is unavailable', () => {
  const none = { status: 200, headers: {}, body: Buffer.from('[]') };
  const reads = { request: async () => none } as unknown as Requester;
  const queues = { enter: async () => {}, leave: () => {} } as unknown as FairQueues;
  const logger = { info: () => {}, warn: () => {}, error: () => {} } as unknown as Logger;

  it('the steps of an export are repeated', async () => {
    const asked: object[] = [];
    const steps = replying(asked, [503, 200, 500, 200, 503]);
    const exports = new Exports(reads, steps, queues, logger);
    exports.begin({ identity: {}, requestId: 'r', workSecret: 's' } as unknown as FunctionEnvelope);
    await eventually('the export has ended', async () => asked.length === 6);
    await exports.onApplicationShutdown();
    expect(asked.map((step) => (step as { step: string }).step)).toEqual([
      ...['begin', 'begin', 'part', 'part', 'complete', 'complete'],
    ]);
  });

  it('a download is PM503', async () => {
    const request = { id: 'r', ip: '::1', method: 'GET', params: { id: 'e' }, raw: { url: '/' } };
    const download = (status: number): Promise<unknown> =>
      new ExportController(replying([], [status])).download(request as unknown as HttpRequest);
    await expect(download(503)).rejects.toMatchObject({
      problem: { status: 503, code: 'PM503', headers: { 'Retry-After': '1' } },
    });
    await expect(download(404)).rejects.toMatchObject({ problem: { status: 404, code: 'PM404' } });
  });
});
