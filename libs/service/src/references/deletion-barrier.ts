// Records that are gone: whoever may still name them is given a moment to hear it, so that what its caller does next,
// elsewhere, is decided in that knowledge.

import { setTimeout as pause } from 'node:timers/promises';
import type { Requester } from '@practice/messaging';
import type { Catalog } from '@practice/resource';
import type { Origin } from '../write/write.command.js';

/** Records of one resource that were deleted, each with the version that its stream had then. */
export interface Departed {
  readonly resource: string;
  readonly ids: readonly string[];
  readonly versions: readonly number[];
}

/** An event takes a few milliseconds; when they come later than this, nobody's answer shall wait for them. */
const WAIT_MS = 500;
const ASK_EVERY_MS = 10;

export class DeletionBarrier {
  constructor(
    private readonly requester: Requester,
    private readonly catalog: Catalog,
  ) {}

  /**
   * Waits until the services whose records can refer to these know that they are gone; not for long, and not for one that is
   * away: it hears it by their events in any case.
   */
  async heard(departed: Departed, origin: Origin): Promise<void> {
    if (departed.ids.length === 0) return;
    const services = this.referringServices(departed.resource);
    await Promise.allSettled(services.map((service) => this.heardBy(service, departed, origin)));
  }

  private referringServices(name: string): string[] {
    const { relations, resources } = this.catalog;
    const services = relations.flatMap(({ from, to }) =>
      to === name ? (resources.get(from)?.service ?? []) : [],
    );
    return [...new Set(services)].filter((service) => service !== resources.get(name)?.service);
  }

  /** Asks again rather than having the other wait: an open request would hold up those that share its way. */
  private async heardBy(
    service: string,
    departed: Departed,
    { therapistId, requestId }: Origin,
  ): Promise<void> {
    const body = JSON.stringify(departed);
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const { status } = await this.requester.request(
        service,
        { op: 'departed', therapistId, requestId, deadline },
        body,
      );
      if (status !== UNHEARD || Date.now() >= deadline) return;
      await pause(ASK_EVERY_MS);
    }
  }
}

/** How a service says that it has not heard of all of them. */
export const UNHEARD = 202;
