// The instruments of this process. A module creates its own instruments when it is loaded. `serveMetrics` exports all of them.

import { within } from '@practice/core';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { catalogue } from './catalogue.js';
import type {
  CounterName,
  GaugeName,
  HistogramName,
  LabelOf,
  MetricDefinition,
  MetricName,
} from './catalogue.js';

/** The metrics of this process. */
export const registry = new Registry();

/** A histogram, which counts values in buckets. An observation costs less than a microsecond. */
export const histogram = <Name extends HistogramName>(name: Name): Histogram<LabelOf<Name>> =>
  made(name, (config, { buckets = [] }) => new Histogram({ ...config, buckets: [...buckets] }));

export const counter = <Name extends CounterName>(name: Name): Counter<LabelOf<Name>> =>
  made(name, (config) => new Counter(config));

export const gauge = <Name extends GaugeName>(name: Name): Gauge<LabelOf<Name>> =>
  made(name, (config) => new Gauge(config));

type Measured = Gauge | Counter;

/**
 * Calls `read` before each scrape, to set gauges or counters. If `read` fails, the scrape leaves these metrics out instead of
 * repeating their last values.
 * @param metrics the metrics that `read` sets; they are emptied first
 * @returns a function that ends these calls
 */
export function beforeScrape(metrics: readonly Measured[], read: () => Promise<void> | void): () => void {
  readers.set(read, metrics);
  return () => {
    readers.delete(read);
    metrics.forEach(forget);
  };
}

/** Leaves a metric out of a scrape. A reset sets a metric without labels to 0, which would look like a value. */
function forget(metric: Measured): void {
  metric.reset();
  if (unlabelled.has(metric)) metric.remove();
}

const unlabelled = new WeakSet<object>();
const readers = new Map<() => Promise<void> | void, readonly Measured[]>();

let running: Promise<string> = Promise.resolve('');
let next: Promise<string> | undefined;

/** The text that Prometheus scrapes. Scrapes take turns, because each empties what it reads. Callers that wait share the next one. */
export const scrape = (): Promise<string> => (next ??= running.then(begin, begin));

function begin(): Promise<string> {
  next = undefined;
  return (running = readAll());
}

async function readAll(): Promise<string> {
  await Promise.all(
    [...readers].map(async ([read, metrics]) => {
      metrics.forEach(forget);
      try {
        await within(READ_WITHIN_MS, Promise.resolve(read()), tooLong);
      } catch {
        metrics.forEach(forget);
      }
    }),
  );
  return registry.metrics();
}

/** The maximum time of a `read`, in milliseconds. By default, Prometheus waits 10 s for a process. */
const READ_WITHIN_MS = 2_000;
const tooLong = (): Error => new Error('the values took too long');

interface Config<Name extends MetricName> {
  readonly name: Name;
  readonly help: string;
  readonly labelNames: LabelOf<Name>[];
  readonly registers: Registry[];
}

function made<Name extends MetricName, Metric extends object>(
  name: Name,
  make: (config: Config<Name>, definition: MetricDefinition) => Metric,
): Metric {
  const known = registry.getSingleMetric(name);
  if (known !== undefined) return known as Metric;
  const definition: MetricDefinition = catalogue[name];
  const { help, labels } = definition;
  const labelNames = [...labels] as LabelOf<Name>[];
  const metric = make({ name, help, labelNames, registers: [registry] }, definition);
  if (labels.length === 0) unlabelled.add(metric);
  return metric;
}
