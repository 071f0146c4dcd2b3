// The messages of one client. Large ones take their turn in the time of the process, and the client waits meanwhile.

import { processTime } from '@practice/core';
import type { WebSocket } from 'ws';
import { Rate } from '../allowance/rate.js';
import { limits } from '../limits.js';
import type { CountedSocket } from './counted-socket.js';

export interface InboxOptions {
  readonly socket: WebSocket;
  readonly counted: CountedSocket;
  readonly take: (data: Buffer, isBinary: boolean) => void;
  /** Called instead when the client sends too much. */
  readonly refuse: (of: 'messages' | 'bytes') => void;
  readonly failed: (error: unknown) => void;
}

/** A message that is taken at once: a heartbeat of one practice does not wait for the work of another. */
const SMALL_BYTES = 4 * 1024;

export class Inbox {
  private readonly rate = new Rate(limits.messagesPerSecond, 2 * limits.messagesPerSecond);
  /** Messages that wait for their turn. */
  private waiting = 0;

  constructor(private readonly options: InboxOptions) {}

  receive(data: Buffer, isBinary: boolean): void {
    const { socket, counted, take, refuse, failed } = this.options;
    const now = performance.now();
    if (!this.rate.take(1, now)) return refuse('messages');
    const { allowance } = counted;
    if (!allowance.received.take(data.length, now)) return refuse('bytes');
    if (data.length <= SMALL_BYTES && this.waiting === 0) return take(data, isBinary);
    this.waiting += 1;
    socket.pause();
    processTime.run({ therapistId: allowance.payer }, this.taking(data, isBinary)).catch(failed);
  }

  private *taking(data: Buffer, isBinary: boolean): Generator<void, void> {
    this.waiting -= 1;
    this.options.take(data, isBinary);
    if (this.waiting === 0) this.options.socket.resume();
  }
}
