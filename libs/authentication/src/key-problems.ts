// The refusals of API keys, with the messages of Supabase's edge.

import { problemFor } from '@practice/core';
import type { Problem } from '@practice/core';

export const KEY_REFUSED = 'PM401';

const refused = (message: string, hint: string): Problem => problemFor(KEY_REFUSED, { message, hint });

const missing = (hint: string): Problem => refused('No API key found in request', hint);

export const missingKey = missing('No `apikey` request header or url param was found.');
export const missingKeyHeader = missing(
  'A call by cookie that changes something needs the `apikey` request header.',
);
export const wrongKey = refused(
  'Invalid API key',
  'Double check your Supabase `anon` or `service_role` API key.',
);
export const severalKeys = refused(
  'Duplicate API key found',
  'Send the API key once, in the `apikey` header.',
);
