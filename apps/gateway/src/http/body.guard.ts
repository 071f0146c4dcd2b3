// Reads the body of a request. It runs after the guards that authenticate and limit, which need only the headers, so the bodies
// of other callers never come into memory.

import { Inject, Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { tooBusy } from '@practice/contracts';
import { Rejection, reject } from '@practice/core';
import { networkOf } from '@practice/limits';
import type { IncomingMessage } from 'node:http';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig } from '../gateway.config.js';
import { BodyMemory } from './body-memory.js';
import { InFlight } from './in-flight.js';
import { httpProblem, overload } from './problem-response.js';
import { isAuthCall, isHealthCheck } from './request.js';
import type { HttpReply, HttpRequest } from './request.js';
import { observeRefusal } from './request-metrics.js';
import { beginTimings } from './asked-timings.js';
import { isOpenEnded } from '../live/open-ended.js';

export const MAX_BODY_BYTES = 1024 * 1024;
/** The share of one caller in the memory for bodies. */
const SHARE = 1 / 4;
/** The memory that a piece of a body takes besides its bytes: a caller may send its body in pieces of one byte. */
const PIECE_BYTES = 512;

@Injectable()
export class BodyGuard implements CanActivate {
  private readonly memory: BodyMemory;

  constructor(
    @Inject(GATEWAY_CONFIG) { bodyMemoryBytes }: GatewayConfig,
    private readonly inFlight: InFlight,
  ) {
    this.memory = new BodyMemory(bodyMemoryBytes, Math.max(MAX_BODY_BYTES, bodyMemoryBytes * SHARE));
  }

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const [request, reply] = context.getArgs<[HttpRequest, HttpReply]>();
    beginTimings(request);
    const admit = (): true => (isOpenEnded(context.getHandler()) ? true : this.admit(request, reply));
    if (!hasBody(request)) return admit();
    return this.read(request, reply).then((body) => {
      request.body = body;
      return admit();
    });
  }

  /** A request counts as in flight once it has arrived: while it is being sent, it has its own time limit. */
  private admit(request: HttpRequest, reply: HttpReply): true {
    if (!this.inFlight.enter(reply.raw) && !isHealthCheck(request)) reject(overloadOf(request));
    return true;
  }

  private async read(request: HttpRequest, { raw: response }: HttpReply): Promise<Buffer> {
    const caller = request.identity?.therapistId ?? networkOf(request.ip);
    let read = 0;
    let taken = 0;
    response.once('close', () => this.memory.free(caller, taken));
    return bytesOf(request.raw, (size) => {
      read += size;
      if (read > MAX_BODY_BYTES) reject(httpProblem.bodyTooLarge);
      const memory = size + PIECE_BYTES;
      if (response.closed || !this.memory.take(caller, memory)) reject(overloadOf(request));
      taken += memory;
    });
  }
}

/** The refusal of a request for which there is no room. It counts as refused. */
export function overloadOf({ raw }: HttpRequest) {
  observeRefusal('overload');
  return isAuthCall(raw.url ?? '') ? { ...tooBusy, headers: overload.headers } : overload;
}

const hasBody = ({ method, headers }: HttpRequest): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/** @param admit throws for a piece that may not be read; the rest is then dropped as it arrives */
function bytesOf(message: IncomingMessage, admit: (size: number) => void): Promise<Buffer> {
  return new Promise((resolve, refuse) => {
    const pieces: Buffer[] = [];
    const interrupted = (): void => refuse(new Rejection(httpProblem.badRequest));
    const end = (): void => {
      // Every message closes. An error with its stack costs more than the rest of this function.
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
