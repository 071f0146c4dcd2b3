// Reads the bodies of requests. The pipeline first authenticates and counts a request by its headers, so the bodies of
// callers that it refuses are never in memory.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { reject, Rejection } from '@practice/core';
import { networkOf } from '@practice/limits';
import { overloadOf } from '../limits/limits.js';
import { Shares } from './capacity.js';
import { bodyTooLarge, httpProblem } from './problem-response.js';
import { type Authenticated, type HttpRequest, isAuthCall, routeOf } from './request.js';

const MAX_BODY_BYTES = 1024 * 1024;
/** Calls and pages of accounts carry short texts only, which identity reads at once. */
const MAX_ACCOUNT_BYTES = 64 * 1024;

/** The most bytes of the body of a request. */
export const mostBytes = (request: HttpRequest): number =>
  isAuthCall(request) || routeOf(request).startsWith('/oauth/') ? MAX_ACCOUNT_BYTES : MAX_BODY_BYTES;

/** The share of one caller in the memory for bodies. */
const SHARE = 1 / 4;
/** The memory that a piece of a body takes besides its bytes: a caller may send its body in pieces of one byte. */
const PIECE_BYTES = 512;

export class Bodies {
  /** The bytes of bodies in memory. */
  private readonly memory: Shares;

  /** @param bodyMemoryBytes memory for the bodies of all requests */
  constructor(bodyMemoryBytes: number) {
    this.memory = new Shares(Math.max(MAX_BODY_BYTES, bodyMemoryBytes * SHARE), bodyMemoryBytes);
  }

  /**
   * The body of a request. Returns undefined, without a promise, if the request has no body.
   * @throws {Rejection} for a compressed body
   */
  read(authenticated: Authenticated): Promise<Buffer> | undefined {
    if (!hasBody(authenticated)) return undefined;
    const { 'content-encoding': encoding = 'identity' } = authenticated.request.headers;
    return encoding.toLowerCase() === 'identity' ? this.bytes(authenticated) : reject(httpProblem.encoded);
  }

  private async bytes({ request, reply: { raw: response }, identity }: Authenticated): Promise<Buffer> {
    const caller = identity?.therapistId ?? networkOf(request.ip);
    const most = mostBytes(request);
    let read = 0;
    let taken = 0;
    response.once('close', () => this.memory.free(caller, taken));
    return bytesOf(request.raw, (size) => {
      read += size;
      if (read > most) reject(bodyTooLarge(most));
      const memory = size + PIECE_BYTES;
      if (response.closed || !this.memory.take(caller, memory)) reject(overloadOf(isAuthCall(request)));
      taken += memory;
    });
  }
}

const hasBody = ({ request: { method, headers } }: Authenticated): boolean =>
  method !== 'GET' && method !== 'HEAD' && announcesBody(headers);

/** Whether the headers of a request announce a body. */
export const announcesBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** @param admit throws for a piece that may not be read; the rest is then dropped as it arrives */
function bytesOf(message: IncomingMessage, admit: (size: number) => void): Promise<Buffer> {
  return new Promise((resolve, refuse) => {
    const pieces: Buffer[] = [];
    const interrupted = (): void => refuse(new Rejection(httpProblem.badRequest));
    const end = (): void => {
      // A complete message also emits `close`. An error with its stack would cost more than the rest of this function.
      message.off('close', interrupted);
      resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces));
    };
    const read = (piece: Buffer): void => {
      try {
        admit(piece.length);
        pieces.push(piece);
      } catch (error) {
        message.off('data', read).resume();
        refuse(error as Error);
      }
    };
    message.on('data', read).once('end', end).once('error', interrupted).once('close', interrupted);
  });
}
