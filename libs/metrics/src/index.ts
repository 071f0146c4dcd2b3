export { countUse, logBusiest } from './busiest.js';
export { measureBus, observeRequest } from './bus.js';
export { catalogue } from './catalogue.js';
export type { MetricDefinition } from './catalogue.js';
export { beforeScrape, counter, gauge, histogram } from './instruments.js';
export { serveMetrics } from './serve.js';
export { metricsList } from './table.js';
