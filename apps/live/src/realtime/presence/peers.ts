// The other live processes. Each says every second that it is alive; one that is silent is gone, with all presences of its clients.

import type { Connection } from '@practice/bus';
import { ALIVE_SUBJECT } from '@practice/contracts';

const BEAT_MS = 1_000;
/** Long enough for a process that is busy; its presences would leave and join again. */
const GONE_AFTER_MS = 5_000;

interface Beat {
  readonly process: string;
  /** The process is about to end. */
  readonly ends?: boolean;
}

export interface PeerListener {
  /** A process is gone. */
  readonly gone: (process: string) => void;
  /** A process that was taken for gone is there, or messages of all of them may have been lost. */
  readonly back: () => void;
}

export class Peers {
  private readonly seen = new Map<string, number>();
  private readonly lost = new Set<string>();
  /** Says that the process is about to end, and listens no longer. */
  readonly stop: () => void;

  constructor(
    private readonly connection: Connection,
    private readonly process: string,
    private readonly listener: PeerListener,
  ) {
    const { nats } = connection;
    const subscription = nats.subscribe(ALIVE_SUBJECT, {
      callback: (error, message) => {
        if (error === null) this.hear(message.json<Beat>());
      },
    });
    const stopUp = connection.onUp(() => listener.back());
    const timer = setInterval(() => this.beat(), BEAT_MS).unref();
    this.say({ process });
    this.stop = () => {
      clearInterval(timer);
      stopUp();
      this.say({ process, ends: true });
      if (!nats.isClosed()) subscription.unsubscribe();
    };
  }

  /** Notes that a process has said something. */
  note(process: string): void {
    this.seen.set(process, performance.now());
  }

  private beat(): void {
    this.say({ process: this.process });
    // While the bus is away, no process can be heard.
    if (!this.connection.isUp()) return this.seen.forEach((_, process) => this.note(process));
    const now = performance.now();
    for (const [process, at] of this.seen) if (now - at > GONE_AFTER_MS) this.drop(process);
  }

  private drop(process: string): void {
    this.seen.delete(process);
    this.lost.add(process);
    this.listener.gone(process);
  }

  private hear({ process, ends }: Beat): void {
    if (process === this.process) return;
    if (ends === true) {
      this.drop(process);
      this.lost.delete(process);
      return;
    }
    this.note(process);
    if (this.lost.delete(process)) this.listener.back();
  }

  private say(beat: Beat): void {
    const { nats } = this.connection;
    if (!nats.isClosed()) nats.publish(ALIVE_SUBJECT, JSON.stringify(beat));
  }
}
