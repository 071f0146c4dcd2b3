import autocannon from 'autocannon';
import type { Client, Request } from 'autocannon';
import type { HttpRequest, LoadResult, Saturate } from './protocol.js';
import { createTally } from './tally.js';

/** autocannon looks this often whether its time is up. */
const LOOK_EVERY_MS = 50;
const MARGIN_SECONDS = 0.1;

/** Lets autocannon send as fast as answers come; counts the answers itself, by the time they came at. */
export async function saturate(order: Saturate, measuring: () => void): Promise<LoadResult> {
  const tally = createTally(order, measuring);
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(optionsOf(order), (error: unknown) => {
      if (error) reject(error instanceof Error ? error : new Error(String(error)));
      else resolve();
    });
    tally.begin();
    run.on('response', (_client, status, _bytes, milliseconds) => tally.answered(status, milliseconds));
    run.on('reqError', (error: unknown) =>
      tally.failed(error instanceof Error ? error.message : 'no answer'),
    );
  });
  return tally.result();
}

function optionsOf({ origin, lists, warmupSeconds, seconds }: Saturate): autocannon.Options {
  let next = 0;
  return {
    url: origin,
    connections: lists.length,
    duration: warmupSeconds + seconds + MARGIN_SECONDS,
    sampleInt: LOOK_EVERY_MS,
    timeout: 20,
    setupClient: (client: Client) => client.setRequests((lists[next++] ?? []).map(asRequest)),
  };
}

const asRequest = ({ method, path, headers, body }: HttpRequest): Request => ({
  method,
  path,
  headers,
  ...(body === undefined ? {} : { body }),
});
