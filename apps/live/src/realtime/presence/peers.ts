// The other live processes. Each process reports every second that it is alive. A silent process counts as gone, with its presences.

import { type Connection, listenTo } from '@practice/bus';
import { ALIVE_SUBJECT } from '@practice/contracts';

const BEAT_MS = 1_000;
/** Long enough for a busy process: otherwise its presences would leave and join again. */
const GONE_AFTER_MS = 5_000;

interface Beat {
  readonly process: string;
  /** Whether the process is about to end. */
  readonly ends?: boolean;
}

export interface PeerListener {
  /** Called when a process is gone. */
  readonly gone: (process: string) => void;
  /** Called when a process that counted as gone is back, or when messages of all processes may have been lost. */
  readonly back: () => void;
}

export class Peers {
  private readonly seen = new Map<string, number>();
  private readonly lost = new Set<string>();
  /** Reports that this process is about to end, and stops listening. */
  readonly stop: () => void;

  constructor(
    private readonly connection: Connection,
    private readonly process: string,
    private readonly listener: PeerListener,
  ) {
    const { nats } = connection;
    const subscription = listenTo(connection, ALIVE_SUBJECT, (message) => this.hear(message.json<Beat>()));
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

  /** Notes that a process has sent a message. */
  note(process: string): void {
    this.seen.set(process, performance.now());
  }

  private beat(): void {
    this.say({ process: this.process });
    // While the bus is unavailable, no message arrives, so no process counts as silent.
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
