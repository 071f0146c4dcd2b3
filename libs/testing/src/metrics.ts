import { samplesIn, scrapeText, sumOf, type Sample } from './samples.js';
import { stack } from './stack.js';
import { stackTools, type Target } from './tools.js';

export { samplesIn, scrapeText, sumOf, type Sample } from './samples.js';

/** The processes of the shared stack that serve metrics. */
export const metricsTargets = (): Target[] => stackTools().readTargets(stack().dataDir);

/** The present sum of a metric over all processes of a service of the shared stack. */
export async function metric(service: string, name: string, labels?: Sample['labels']): Promise<number> {
  const targets = metricsTargets().filter((target) => target.service === service);
  const texts = await Promise.all(targets.map(({ address }) => scrapeText(address)));
  return sumOf(texts.flatMap(samplesIn), name, labels);
}
