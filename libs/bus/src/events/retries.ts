import { headers, type Msg } from '@nats-io/transport-node';
import type { Connection } from '../messaging/connection.js';
import { deadLetterSubjects } from './dead-letters.js';
import { readCloudEvent } from './envelope.js';
import type { Job } from './job-queue.js';

/**
 * Listens for requests to handle dead letters again, and answers each with an empty message or the error.
 * @param enqueue gets a job that is tried once, in the queue of its practice
 */
export function answerRetries(
  { nats, logger }: Connection,
  subscription: string,
  enqueue: (job: Job) => void,
): { stop(): void } {
  const { retry, result } = deadLetterSubjects(subscription);
  const listener = nats.subscribe(retry, {
    callback: (error, message) => {
      if (error !== null)
        return logger.warn({ subscription, err: error }, 'retries of dead letters are not served');
      // JetStream delivers events to any subject that a consumer names, but not with this reply subject.
      if (message.reply?.startsWith(result(''))) enqueueRetry(message, enqueue);
      else logger.warn({ subscription }, 'a retry was refused: its reply subject is not of a retry');
    },
  });
  return { stop: () => listener.unsubscribe() };
}

function enqueueRetry(message: Msg, enqueue: (job: Job) => void): void {
  const answer = (error: unknown): void => {
    message.respond(error instanceof Error ? error.message || error.name : String(error));
  };
  try {
    const event = readCloudEvent((message.headers ?? headers()).get('subject'), message.data);
    enqueue({
      event,
      done: () => answer(''),
      failed: (_failures, error) => {
        answer(error);
        return 'give up';
      },
    });
  } catch (error) {
    answer(error);
  }
}
