// A service and requesters for specs, on the shared NATS server.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Controller, Module, UseFilters, type INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern } from '@nestjs/microservices';
import { reject, type Identity, type OnBehalf, type OutgoingEnvelope } from '@practice/core';
import { eventually, stack } from '@practice/testing';
import { of } from 'rxjs';
import { CallPattern, OpenCallPattern } from '../call-pattern.js';
import { connect, type Connection } from '../connection.js';
import { FrameErrors } from '../frame-errors.js';
import { FrameServer } from '../frame-server.js';
import { createRequester, type Requester, type RequesterOptions } from '../requester.js';
import type { FrameRequest, InPractice, Reply } from '../request.js';
import { createSigner, createVerifier } from '../statement.js';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
export const failures: unknown[] = [];
export const refusals: string[] = [];
/** The bodies of all calls of `count`. */
export const counts: string[] = [];
export const open: (() => Promise<void>)[] = [];
/** The ids of requests that wait until their caller disconnects or a test releases them. */
export const waiting = new Set<string>();
export const released = new Set<string>();
let finishHeld: () => void = () => {};
export const letGo = (): void => finishHeld();

function text(body: string): Reply {
  return { status: 200, headers: { 'content-type': 'text/plain' }, body };
}

@Controller()
@UseFilters(FrameErrors)
class Answers {
  @CallPattern('echo')
  async echo({ envelope, body }: FrameRequest): Promise<Reply> {
    return { status: 201, headers: { 'x-request-id': envelope.requestId }, body };
  }

  @CallPattern('count')
  count({ body }: FrameRequest): Reply {
    counts.push(body.toString());
    return text('counted');
  }

  @CallPattern('pid')
  pid(): Reply {
    return text(this.id);
  }

  @CallPattern('stream')
  stream() {
    return of(text('from an observable'));
  }

  @CallPattern('big')
  big({ body }: FrameRequest): Reply {
    return text('é'.repeat(Number(body.toString())));
  }

  @CallPattern('refuse')
  refuse(): Reply {
    return reject({ status: 409, code: 'PM002', message: 'Taken', headers: { 'X-Why': 'twice' } });
  }

  @CallPattern('break')
  break(): Reply {
    throw new Error('secret detail');
  }

  @CallPattern('held')
  async held(): Promise<Reply> {
    await new Promise<void>((resolve) => (finishHeld = resolve));
    return text('finished');
  }

  @CallPattern('wait')
  async wait({ envelope: { requestId, gone } }: FrameRequest): Promise<Reply> {
    waiting.add(requestId);
    while (gone?.aborted !== true && !released.has(requestId)) await pause(1);
    return text(gone?.aborted === true ? 'gone' : 'released');
  }

  @CallPattern('whoami')
  whoami({ envelope: { identity } }: FrameRequest<OnBehalf>): Reply {
    return text(JSON.stringify(identity));
  }

  @OpenCallPattern('open')
  open({ envelope: { identity } }: FrameRequest<Partial<OnBehalf>>): Reply {
    return text(identity?.userId ?? 'nobody');
  }

  @MessagePattern('between')
  between({ envelope }: FrameRequest<InPractice>): Reply {
    return text(envelope.therapistId);
  }

  private readonly id = randomUUID();
}

@Module({ controllers: [Answers] })
class AnswersModule {}

export const keyPair = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64url'),
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
  };
};
export const keys = keyPair();
export const identity: Identity = {
  ...{ therapistId: 'practice-1', userId: 'user-1', practiceRole: 'therapist', sessionId: 'session-1' },
};

export function envelope(op: string, requestId = 'request-1'): OutgoingEnvelope<OnBehalf> {
  return { op, requestId, identity };
}

/** Connects as the gateway, which only sends requests, or as the admin, which may also serve a service that is not installed. */
export async function connected(user: 'gateway' | 'admin' = 'gateway'): Promise<Connection> {
  const connection = await connect({ url: stack().natsUrl(user), name: 'messaging spec', logger: quiet });
  open.push(() => connection.close());
  return connection;
}

export async function serve(service: string, maxInWork = 2_000): Promise<INestMicroservice> {
  const strategy = new FrameServer({
    connection: await connected('admin'),
    service,
    maxInWork,
    readStatement: createVerifier([keys.publicKey], service),
    onRefused: (why) => refusals.push(why),
    onError: (error) => failures.push(error),
  });
  const app = await NestFactory.createMicroservice(AnswersModule, { strategy, logger: false });
  await app.listen();
  open.push(() => app.close());
  return app;
}

type Asking = Partial<Pick<RequesterOptions, 'timeoutMs' | 'maxInFlight' | 'stateIdentity' | 'mayRepeat'>>;

export async function asking(options: Asking = {}): Promise<Requester> {
  const connection = await connected();
  const requester = createRequester({
    connection,
    user: connection.user,
    stateIdentity: createSigner(keys.privateKey),
    timeoutMs: 10_000,
    ...options,
  });
  open.push(async () => requester.close());
  return requester;
}

/** Waits until `holds` returns true. */
export async function until(holds: () => boolean): Promise<void> {
  await eventually(`it holds: ${holds}`, holds);
}

/** Closes everything that was opened since the last call. */
export async function closeAll(): Promise<void> {
  letGo();
  for (const close of open.splice(0).reverse()) await close();
  failures.length = 0;
  refusals.length = 0;
  counts.length = 0;
}
