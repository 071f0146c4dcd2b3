// Sends the spans of this process to an OpenTelemetry collector. Without an endpoint, the SDK is not loaded and each function here
// does nothing. Spans have only our own names, codes and counts, and never a value of a caller.

import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';

type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

interface SpanOptions {
  /** The `traceparent` of the parent span. If absent, the active span is the parent. */
  readonly parent?: string | undefined;
  readonly kind: keyof typeof kinds;
  readonly attributes?: SpanAttributes;
}

/** A span that has begun. */
export type OpenSpan = ReturnType<typeof opened>;

let tracer: Tracer | undefined;

/** Whether spans are sent. Check this before work that only tracing needs. */
export const isTracing = (): boolean => tracer !== undefined;

/**
 * Begins to send the spans of this process.
 * @param endpoint base URL of a collector that takes OTLP over HTTP (`/v1/traces` is added); nothing happens if it is empty
 * @returns a function that sends the last spans and ends tracing
 */
export async function startTracing(service: string, endpoint: string): Promise<() => Promise<void>> {
  if (endpoint === '') return () => Promise.resolve();
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'practice' }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  provider.register();
  tracer = provider.getTracer('practice');
  return async () => {
    tracer = undefined;
    await provider.shutdown().catch(() => undefined);
  };
}

/** Begins a span. Returns undefined without tracing. */
export function childSpan(name: string, options: SpanOptions): OpenSpan | undefined {
  return tracer && opened(begin(tracer, name, options));
}

/** Runs `work` in a new active span, so that spans within it are its children. Without tracing, it only runs `work`. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  if (tracer === undefined) return work(undefined);
  const span = begin(tracer, name, options);
  return context.with(trace.setSpan(context.active(), span), () => work(opened(span)));
}

/**
 * Sends a span that has ended. Does nothing without tracing.
 * @param times milliseconds since the epoch
 */
export function recordSpan(
  name: string,
  options: SpanOptions,
  { start, end }: { readonly start: number; readonly end: number },
): void {
  if (tracer === undefined) return;
  begin(tracer, name, options, start).end(end);
}

/** The `traceparent` of the active span, to be the parent of later work elsewhere; undefined without tracing. */
export const activeTraceparent = (): string | undefined =>
  tracer === undefined ? undefined : traceparentIn(context.active());

function begin(
  of: Tracer,
  name: string,
  ...[{ parent, kind, attributes = {} }, startTime]: [options: SpanOptions, startTime?: number]
): Span {
  const options = { kind: kinds[kind], attributes, ...(startTime !== undefined && { startTime }) };
  return of.startSpan(name, options, parent === undefined ? context.active() : contextOf(parent));
}

const contextOf = (traceparent: string): Context => propagation.extract(context.active(), { traceparent });

function traceparentIn(active: Context): string | undefined {
  const carrier: { traceparent?: string } = {};
  propagation.inject(active, carrier);
  return carrier.traceparent;
}

function opened(span: Span) {
  return {
    /** The `traceparent` of this span, for the next process. */
    traceparent: traceparentIn(trace.setSpan(context.active(), span)) ?? '',
    /** Ends the span. @param name the name of the span, if it was not known when the span began */
    end: (attributes: SpanAttributes, isFailed = false, name?: string): void => {
      if (name !== undefined) span.updateName(name);
      span.setAttributes(attributes);
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
