// Traces of a system with a collector: from the request of a caller over NATS into Postgres, and on into the effect of its event in
// another service.

import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, eventually, logLines, newPractice, ownStack } from '@practice/testing';
import type { Extra, OwnStack, Practice } from '@practice/testing';

/** A span in the JSON form of OTLP. */
interface ReceivedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

interface Collector {
  /** For `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly spans: ReceivedSpan[];
  /** Everything that was received. */
  text(): string;
  close(): Promise<void>;
}

/** Starts a server that receives traces over HTTP, like a collector of OpenTelemetry. */
async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  let received = '';
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      received += body;
      spans.push(...spansIn(JSON.parse(body) as Export));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const spansIn = ({ resourceSpans }: Export): ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
  });

let collector: Collector;
let own: OwnStack;
let processes: Extra[];
let practice: Practice;

beforeAll(async () => {
  collector = await startCollector();
  own = await ownStack();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_BSP_SCHEDULE_DELAY: '100' };
  processes = await Promise.all(
    ['identity', 'clients', 'scheduling', 'gateway'].map((service) => own.start(service, env)),
  );
  practice = await newPractice(originOf('gateway'));
});

afterAll(async () => {
  await own.stop();
  await collector.close();
});

const found = (service: string): Extra => processes.find(({ name }) => name.startsWith(service)) as Extra;
const originOf = (service: string): string => found(service).origin;

interface Caller {
  readonly traceId: string;
  readonly spanId: string;
  readonly headers: { readonly traceparent: string };
}

function newCaller(): Caller {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}

/** Waits for the span of a trace with this service and name. */
const span = ({ traceId }: Caller, service: string, name: string | RegExp): Promise<ReceivedSpan> =>
  eventually(`${service} has sent ${String(name)}`, () =>
    collector.spans.find(
      (one) => one.traceId === traceId && one.service === service && one.name.search(name) === 0,
    ),
  ) as Promise<ReceivedSpan>;

describe('a trace', () => {
  it('of a read goes from the caller through the gateway and the service into Postgres', async () => {
    const caller = newCaller();
    const answer = await practice.rest('clients', { headers: caller.headers });
    const request = await span(caller, 'gateway', /GET .rest.v1/);
    const asked = await span(caller, 'gateway', 'ask clients');
    const served = await span(caller, 'clients', 'GET clients');
    const read = await span(caller, 'clients', 'Postgres read');
    expect([request, asked, served, read].map(({ parentSpanId }) => parentSpanId)).toEqual([
      caller.spanId,
      request.spanId,
      asked.spanId,
      served.spanId,
    ]);
    expect(answer.headers.get('traceresponse')).toBe(`00-${caller.traceId}-${request.spanId}-01`);
  });

  it('of a write goes on to the stream and into the effect of its event', async () => {
    const body = { name: 'Ada' };
    const made = await practice.rest('clients', {
      method: 'POST',
      body,
      headers: { prefer: 'return=representation' },
    });
    const [{ id } = { id: '' }] = made.json as { id: string }[];
    const caller = newCaller();
    const name = `Ada ${randomUUID()}`;
    const renamed = { method: 'PATCH', body: { name }, headers: caller.headers };
    expect((await practice.rest(`clients?id=eq.${id}`, renamed)).status).toBe(204);
    const served = await span(caller, 'clients', 'PATCH clients');
    const within = [
      await span(caller, 'clients', 'Postgres transaction'),
      await span(caller, 'clients', /publish Client/),
      await span(caller, 'scheduling', /apply Client/),
    ];
    expect(within.map(({ parentSpanId }) => parentSpanId)).toEqual(within.map(() => served.spanId));
    expect(collector.text()).not.toContain(name);
  });

  it('begins in the gateway if the caller has none', async () => {
    const { headers } = await practice.rest('clients');
    const [, traceId = ''] =
      /^00-([\da-f]{32})-[\da-f]{16}-01$/.exec(headers.get('traceresponse') ?? '') ?? [];
    const caller = { ...newCaller(), traceId };
    expect((await span(caller, 'gateway', /GET .rest.v1/)).parentSpanId ?? '').toBe('');
  });

  it('shows no values of callers', async () => {
    const caller = newCaller();
    const mark = randomUUID();
    await practice.rest(`clients?name=eq.${mark}`, { headers: { ...caller.headers, 'x-request-id': mark } });
    await call(`/${mark}`, { headers: caller.headers, origin: originOf('gateway') });
    await span(caller, 'clients', 'Postgres read');
    expect(collector.spans.filter(({ name }) => name.includes('readyz'))).toEqual([]);
    for (const secret of [mark, practice.email, practice.therapistId, practice.token])
      expect(collector.text()).not.toContain(secret);
  });
});

const linesOf = async (name: string, requestId: string, dataDir?: string) =>
  (await logLines(name, requestId, dataDir)).map((line) => JSON.parse(line) as { traceId?: string });

describe('log lines', () => {
  it('have the id of the trace in each process', async () => {
    const caller = newCaller();
    const requestId = randomUUID();
    await practice.rest('clients', { headers: { ...caller.headers, 'x-request-id': requestId } });
    for (const service of ['gateway', 'clients'])
      expect(await linesOf(found(service).name, requestId, own.dataDir)).toEqual([
        expect.objectContaining({ traceId: caller.traceId }),
      ]);
  });

  it('have the id of the caller’s trace even without tracing', async () => {
    const caller = newCaller();
    const requestId = randomUUID();
    const { rest } = await newPractice();
    const { headers } = await rest('clients', { headers: { ...caller.headers, 'x-request-id': requestId } });
    expect(headers.has('traceresponse')).toBe(false);
    for (const service of ['gateway', 'clients'])
      expect(await linesOf(service, requestId)).toEqual([
        expect.objectContaining({ traceId: caller.traceId }),
      ]);
  });

  it('have no trace id for a malformed header', async () => {
    const requestId = randomUUID();
    const { rest } = await newPractice();
    const headers = { traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`, 'x-request-id': requestId };
    await rest('clients', { headers });
    const [line = {}] = await linesOf('gateway', requestId);
    expect(line).not.toHaveProperty('traceId');
  });
});
