import type { Stack } from '@practice/start';
import type { Side } from './measurement.js';
import { askingProduct } from './requests.js';
import { createRequests, type RequestsInput } from './scenarios.js';

interface ProductInput extends RequestsInput {
  /** If it is missing, measurements do not wait after the last answer. */
  readonly settled?: () => Promise<void>;
}

type Product = Pick<Stack, 'baseUrl' | 'apikey' | 'dataDir'> & Pick<Side, 'processes'>;

/** A version of the product, with the requests that are sent to it. */
export const productSide = (
  { baseUrl, apikey, dataDir, processes }: Product,
  name: string,
  { settled = () => Promise.resolve(), ...input }: ProductInput,
): Side => ({
  ...{ name, dataDir, processes, settled },
  origin: new URL(baseUrl).origin,
  requests: createRequests(askingProduct(apikey), input),
});
