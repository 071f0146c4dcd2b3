/** The share of the bound to which a group is brought back, so that it is looked through rarely. */
const RELIEVED = 0.75;

/** A socket, as far as bytes wait for its client. */
export interface Receiver {
  readonly waitingBytes: number;
  /** Ends the connection, and drops what waits. */
  cut(): void;
}

/** The bytes that wait for the clients of a group of sockets. Beyond the bound, the slowest clients are cut. */
export class Backlog {
  /** Waiting bytes of each receiver, as of its last message. They can only have become less since. */
  private readonly known = new Map<Receiver, number>();
  private total = 0;

  constructor(private readonly most: number) {}

  /** To be called after each message to a receiver. */
  note(receiver: Receiver): void {
    this.set(receiver, receiver.waitingBytes);
    if (this.total > this.most) this.relieve();
  }

  /** Forgets a receiver whose connection has ended, or that is of another group now. */
  forget(receiver: Receiver): void {
    this.set(receiver, 0);
  }

  private set(receiver: Receiver, bytes: number): void {
    this.total += bytes - (this.known.get(receiver) ?? 0);
    if (bytes === 0) this.known.delete(receiver);
    else this.known.set(receiver, bytes);
  }

  private relieve(): void {
    for (const receiver of [...this.known.keys()]) this.set(receiver, receiver.waitingBytes);
    const slowestFirst = [...this.known].sort(([, one], [, other]) => other - one);
    for (const [receiver] of slowestFirst) {
      if (this.total <= RELIEVED * this.most) return;
      this.forget(receiver);
      receiver.cut();
    }
  }
}
