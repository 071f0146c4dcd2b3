// The processes that check tokens, as this process hears of them, and the changes that they confirm.

import { IDENTITY_CHANGES_KNOWN } from '@practice/contracts';
import type { KnownChange } from '@practice/contracts';
import type { Connection } from '@practice/bus';

/** A process that does not confirm a change within this time is not waited for until it is heard again. */
const CONFIRMS_WITHIN_MS = 1_000;

interface Waiting {
  readonly missing: Set<string>;
  readonly done: () => void;
}

export class Listeners {
  private readonly processes = new Set<string>();
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly connection: Pick<Connection, 'nats'>) {}

  start(): void {
    this.connection.nats.subscribe(IDENTITY_CHANGES_KNOWN, {
      callback: (error, message) => {
        if (error === null) this.hear(message.json<KnownChange>());
      },
    });
  }

  /** Resolves when all processes know a change that was just announced, or after a second. */
  know(change: string): Promise<void> {
    if (this.processes.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const missing = new Set(this.processes);
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(change);
        resolve();
      };
      const giveUp = (): void => {
        for (const process of missing) this.processes.delete(process);
        done();
      };
      const timer = setTimeout(giveUp, CONFIRMS_WITHIN_MS);
      this.waiting.set(change, { missing, done });
    });
  }

  private hear({ process, change, ends }: KnownChange): void {
    if (ends === true) return this.forget(process);
    this.processes.add(process);
    const waiting = change === undefined ? undefined : this.waiting.get(change);
    if (waiting !== undefined) confirm(waiting, process);
  }

  private forget(process: string): void {
    this.processes.delete(process);
    for (const waiting of [...this.waiting.values()]) confirm(waiting, process);
  }
}

function confirm({ missing, done }: Waiting, process: string): void {
  missing.delete(process);
  if (missing.size === 0) done();
}
