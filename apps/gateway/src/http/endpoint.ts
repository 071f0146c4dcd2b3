// The options that a controller's method declares for its endpoint. Guards and the OpenAPI document read them.

import type { AccessLevel } from '@practice/contracts';
import { commonHeaders, headersOf, type Operation, reference } from '@practice/describe';
import type { LimitKind } from '../limits/limits.js';
import type { HttpRequest } from './request.js';

export interface EndpointOptions {
  /** The credentials that callers need. */
  readonly access: AccessLevel;
  /** The limit per client address that calls count towards. If omitted, calls count towards the limits of the user. */
  readonly limitOfAddress?: LimitKind | ((request: HttpRequest) => LimitKind);
  /** Open to sessions that still have to pass a second factor. */
  readonly isBeforeSecondFactor?: boolean;
  /** Open to the tokens of OAuth clients, which reach no other call for accounts. */
  readonly isForClients?: boolean;
  /** Open to tokens for the assistant and to personal access tokens. Callers send no API key. */
  readonly isForAssistant?: boolean;
  /** Its responses may stay open. They do not count as requests in flight. */
  readonly isOpenEnded?: boolean;
  /** The operation in the OpenAPI document. A spec finds the methods without an operation. */
  readonly operation?: Operation | undefined;
}

// A request costs less with this map than with metadata that is read by reflection.
const endpoints = new WeakMap<object, EndpointOptions>();
const forUsers: EndpointOptions = { access: 'user' };

export function Endpoint(options: EndpointOptions): MethodDecorator {
  return (_target, _name, descriptor) => {
    endpoints.set(descriptor.value as object, options);
  };
}

/** The options of a handler. Without any, its callers must be users. */
export const endpointOf = (handler: object): EndpointOptions => endpoints.get(handler) ?? forUsers;

// Parts of the OpenAPI document for the calls that are not for records. Each operation is beside the controller of its call.

export const text = { type: 'string' } as const;

interface ParameterWords {
  readonly description?: string;
  /** A string if omitted. */
  readonly schema?: object;
  /** True by default for parameters in a path only. */
  readonly required?: boolean;
}

export const parameter = (
  name: string,
  place: 'query' | 'path' | 'header',
  { description, schema = text, required = place === 'path' }: ParameterWords,
): object => ({ name, in: place, required, description, schema });

/** A response with the headers of every response. */
export const response = (description: string, content?: Readonly<Record<string, object>>): object => ({
  description,
  headers: commonHeaders,
  ...(content !== undefined && {
    content: Object.fromEntries(Object.entries(content).map(([media, schema]) => [media, { schema }])),
  }),
});

/** A refusal in the shape of the data API. */
export const refused = (description: string): object => ({
  ...response(description, { 'application/json': reference('schemas', 'Problem') }),
  headers: headersOf(['Proxy-Status', 'WWW-Authenticate', 'Retry-After']),
});
