export { busiest, countUse, logBusiest } from './busiest.js';
export type { Use } from './busiest.js';
export { measureBus, observeRequest } from './bus.js';
export { catalogue } from './catalogue.js';
export type { CounterName, GaugeName, HistogramName, MetricDefinition, MetricName } from './catalogue.js';
export { beforeScrape, counter, gauge, histogram, registry, scrape } from './instruments.js';
export { serveMetrics } from './serve.js';
export type { MetricsOptions, MetricsServer } from './serve.js';
export { metricsList } from './table.js';
