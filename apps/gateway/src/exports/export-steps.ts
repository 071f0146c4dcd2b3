import { setTimeout as wait } from 'node:timers/promises';
import { EXPORT_WORK } from '@practice/contracts';
import type { BegunExport, ExportWork } from '@practice/contracts';
import { Rejection } from '@practice/core';
import type { Reply, Requester } from '@practice/bus';

type Step = ExportWork extends infer Each ? (Each extends ExportWork ? Omit<Each, 'hash'> : never) : never;

const OK = 200;
const PAUSE_MS = 500;
/** Identity ends an export that it has not heard of for longer. */
const ATTEMPTS = 40;

/** The steps of one export that the identity service stores. Each is tried again while the service is unavailable. */
export class ExportSteps {
  constructor(
    private readonly requester: Requester,
    private readonly work: { readonly hash: string; readonly requestId: string },
    /** Aborted when the export has ended: then a step is sent once. */
    private readonly signal: AbortSignal,
  ) {}

  /** Undefined if the export does not exist or has ended, or if another process makes it. */
  async begin(): Promise<BegunExport | undefined> {
    const { status, body } = await this.send({ step: 'begin' });
    return status === OK ? (JSON.parse(body.toString()) as BegunExport) : undefined;
  }

  /** @returns whether the export goes on */
  async take(step: Step, body: Uint8Array = new Uint8Array()): Promise<boolean> {
    return (await this.send(step, body)).status === OK;
  }

  private async send(step: Step, body: Uint8Array = new Uint8Array()): Promise<Reply<Buffer>> {
    for (let attempt = 1; ; attempt += 1)
      try {
        return await this.requester.request('identity', { op: EXPORT_WORK, ...this.work, ...step }, body);
      } catch (error) {
        if (!(error instanceof Rejection) || attempt === ATTEMPTS || this.signal.aborted) throw error;
        await wait(PAUSE_MS);
      }
  }
}
