// Parts of the OpenAPI document for the calls that are not for records. Each operation is beside the controller of its call.

import { commonHeaders, reference } from '@practice/describe';

export const text = { type: 'string' } as const;

export const parameter = (
  name: string,
  place: 'query' | 'path' | 'header',
  { description, schema = text }: { readonly description: string; readonly schema?: object },
): object => ({ name, in: place, required: place === 'path', description, schema });

/** A response with the headers of every response. */
export const response = (description: string, content?: Readonly<Record<string, object>>): object => ({
  description,
  headers: commonHeaders,
  ...(content !== undefined && {
    content: Object.fromEntries(Object.entries(content).map(([media, schema]) => [media, { schema }])),
  }),
});

/** A refusal in the shape of the data API. */
export const refused = (description: string): object =>
  response(description, { 'application/json': reference('schemas', 'Problem') });
