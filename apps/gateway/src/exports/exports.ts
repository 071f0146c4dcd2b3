// Makes archives in the background, after a call of `export_practice`.

import { setTimeout as wait } from 'node:timers/promises';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Reply, Requester } from '@practice/bus';
import { type BegunExport, EXPORT_WORK, type ExportWork, PART_BYTES } from '@practice/contracts';
import { Rejection } from '@practice/core';
import { LOGGER, type Logger } from '@practice/process';
import type { FunctionEnvelope } from '@practice/query';
import { FairQueue } from '../limits/fair-queue.js';
import { FairQueues } from '../limits/fair-queues.js';
import { ACCOUNT_REQUESTER, REQUESTER } from '../services/requesters.js';
import { exportReply } from '../services/failure.js';
import { archiveOf } from './archive.js';
import { Pages, type Reader, UnreadablePage } from './pages.js';
import { archiveSeal, hashOf, partId } from './archive-seal.js';

type Step = ExportWork extends infer Each ? (Each extends ExportWork ? Omit<Each, 'hash'> : never) : never;

const OK = 200;
const PAUSE_MS = 500;
/** The most attempts of a step. Identity ends an export that it has not heard of for longer than they take. */
const ATTEMPTS = 40;

/** The steps of one export, which the identity service stores. A step is repeated while the service is unavailable. */
class ExportSteps {
  constructor(
    private readonly requester: Requester,
    private readonly work: { readonly hash: string; readonly requestId: string },
    /** Aborted when the export has ended. A step is then sent only once. */
    private readonly signal: AbortSignal,
  ) {}

  /** Begins the export. Undefined if it does not exist or has ended. */
  async begin(): Promise<BegunExport | undefined> {
    const { status, body } = await this.send({ step: 'begin' });
    return status === OK ? (JSON.parse(body.toString()) as BegunExport) : undefined;
  }

  /** Sends a step. @returns whether the export continues */
  async take(step: Step, body: Uint8Array = new Uint8Array()): Promise<boolean> {
    return (await this.send(step, body)).status === OK;
  }

  private async send(step: Step, body: Uint8Array = new Uint8Array()): Promise<Reply<Buffer>> {
    for (let attempt = 1; ; attempt += 1)
      try {
        const envelope = { op: EXPORT_WORK, ...this.work, ...step };
        return exportReply(await this.requester.request('identity', envelope, body));
      } catch (error) {
        if (!(error instanceof Rejection) || attempt === ATTEMPTS || this.signal.aborted) throw error;
        await wait(PAUSE_MS);
      }
  }
}

/** The bytes of a stream in parts of one size, except the last one. */
export async function* partsOf(stream: AsyncIterable<Buffer>, size: number): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    waiting.push(chunk);
    length += chunk.length;
    if (length < size) continue;
    const bytes = Buffer.concat(waiting);
    const whole = length - (length % size);
    for (let at = 0; at < whole; at += size) yield bytes.subarray(at, at + size);
    waiting = [bytes.subarray(whole)];
    length -= whole;
  }
  if (length > 0) yield Buffer.concat(waiting);
}

/** The number of exports at the same time. Further exports wait for their turn. */
const AT_ONCE = { capacity: 2, least: 2, idleBelow: 0, mayWait: 1000 };
const ALL = 'every practice';
/** Much shorter than the lease after which identity ends the export. */
const REPORT_EVERY_MS = 5_000;
const ENDED = 'the export has ended';
/** The progress in percent when all files are complete but the archive is not. */
const ALMOST = 99;

interface Work {
  readonly secret: string;
  readonly reader: Reader;
  readonly stop: AbortController;
}

@Injectable()
export class Exports implements OnApplicationShutdown {
  private readonly turns = new FairQueue(AT_ONCE);
  private readonly running = new Map<AbortController, Promise<void>>();

  constructor(
    @Inject(REQUESTER) private readonly requester: Requester,
    @Inject(ACCOUNT_REQUESTER) private readonly stepRequester: Requester,
    private readonly queues: FairQueues,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Begins to make the archive that a call has requested. Does nothing if the call has begun no export, as in a dry run. */
  begin({ identity, address, requestId, workSecret: secret = '' }: FunctionEnvelope): void {
    const stop = new AbortController();
    const reader = { identity, address, requestId, signal: stop.signal };
    const work = this.run({ secret, reader, stop })
      .catch((err: unknown) => this.logger.error({ err, requestId }, 'an export was not ended'))
      .finally(() => this.running.delete(stop));
    this.running.set(stop, work);
  }

  async onApplicationShutdown(): Promise<void> {
    for (const stop of this.running.keys()) stop.abort();
    await Promise.all(this.running.values());
  }

  private async run(work: Work): Promise<void> {
    const { secret, reader, stop } = work;
    const { requestId } = reader;
    const named = { hash: hashOf(secret), requestId };
    const steps = new ExportSteps(this.stepRequester, named, stop.signal);
    const begun = await steps.begin();
    if (begun === undefined) return;
    const report = { progress: 0 };
    const timer = setInterval(() => {
      steps.take({ step: 'continue', ...report }).then(
        (goesOn) => goesOn || stop.abort(),
        () => stop.abort(),
      );
    }, REPORT_EVERY_MS);
    try {
      await this.inTurn(() => this.make(work, { begun, steps, report }));
    } catch (err) {
      this.logger.warn({ err, requestId, exportId: begun.id }, 'an archive was not made');
      await steps.take({ step: 'fail', problem: problemOf(err, stop.signal) });
    } finally {
      clearInterval(timer);
    }
  }

  private async inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.turns.take(ALL);
    try {
      await turn;
      await work();
    } finally {
      this.turns.done(ALL);
    }
  }

  private async make(
    { secret, reader }: Work,
    { begun, steps, report }: { begun: BegunExport; steps: ExportSteps; report: { progress: number } },
  ): Promise<void> {
    const { identity, signal } = reader;
    const { id: exportId, requestedAt } = begun;
    const facts = { therapistId: identity.therapistId, exportId, requestedAt };
    const archive = archiveOf(facts, new Pages(this.requester, this.queues, reader), (part) => {
      report.progress = Math.min(ALMOST, Math.floor(part * 100));
    });
    const seal = archiveSeal(secret);
    let [index, size] = [0, 0];
    for await (const part of partsOf(archive, PART_BYTES)) {
      signal.throwIfAborted();
      if (!(await steps.take({ step: 'part', index }, seal.sealBytes(part, partId(index)))))
        throw new Error(ENDED);
      index += 1;
      size += part.length;
    }
    if (!(await steps.take({ step: 'complete', size }))) throw new Error(ENDED);
    this.logger.info({ requestId: reader.requestId, exportId, size }, 'an archive was made');
  }
}

/** The reason of a failure for the person who requested the export, so without details of the system. */
function problemOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'the process that made the archive was stopped';
  return error instanceof UnreadablePage ? error.message : 'the archive could not be made';
}
