// The calls that are not for records, and the documents that describe all calls.

import 'reflect-metadata';
import { createRequire } from 'node:module';
import { RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { type AccessLevel, catalog, functions } from '@practice/contracts';
import { type Beside, type Call, compact, openApi, type Operation, swagger } from '@practice/describe';
import { accountResponses, accountSchemas } from '../accounts/account-operation.js';
import { endpointOf, response } from '../http/endpoint.js';
import { FixedBody } from '../http/fixed-body.js';

/** The parts of the OpenAPI document that are not for records. Routes without an operation are omitted; a spec finds them. */
export function besideRecords(routes: readonly Route[]): Beside {
  return {
    calls: [
      ...routes.flatMap(({ operation, ...route }) =>
        operation === undefined ? [] : [{ ...route, operation }],
      ),
      ...documentCalls,
    ],
    tags: [
      { name: 'accounts', description: 'Sign-up, sign-in and sessions, as `supabase.auth` calls them.' },
      { name: 'events', description: 'Everything that happens in the practice.' },
      {
        name: 'realtime',
        description: 'Broadcasts to channels; the rest of realtime is a WebSocket, as supabase-js opens it.',
      },
      { name: 'calendars', description: 'Appointments for calendar programs.' },
      { name: 'descriptions', description: 'The description and the health of the API.' },
    ],
    schemas: accountSchemas,
    responses: accountResponses,
  };
}

const document = { type: 'object' };

const described = (path: string, access: Call['access'], operation: Operation): Call => ({
  method: 'get',
  path,
  access,
  operation: { tags: ['descriptions'], ...operation },
});

/** The calls for the documents. Their routes take every method, so that they can refuse all methods that do not read. */
export const documentCalls: readonly Call[] = [
  described('/rest/v1', 'key', {
    summary: 'The records in Swagger 2.0, as PostgREST describes them',
    responses: {
      200: response('The document.', { 'application/openapi+json': document }),
      406: { $ref: '#/components/responses/NotAcceptable' },
    },
  }),
  described('/rest/v1/openapi.json', 'key', {
    summary: 'This document',
    description:
      'With `compact`: records and functions only, for readers of little context such as language models.',
    parameters: [
      { name: 'compact', in: 'query', allowEmptyValue: true, schema: { type: 'string', enum: ['', 'true'] } },
    ],
    responses: { 200: response('The document.', { 'application/json': document }) },
  }),
];

const { version } = createRequire(import.meta.url)('@practice/gateway/package.json') as { version: string };

/** The descriptions of the API: made once at start, and sent unchanged. */
export class Documents {
  /** The records in Swagger 2.0. */
  readonly swagger: FixedBody;
  /** Everything in OpenAPI 3.1. */
  readonly openApi: FixedBody;
  /** Records and functions in OpenAPI 3.1, for readers with little context. */
  readonly compact: FixedBody;

  constructor(baseUrl: string, routes: readonly Route[]) {
    const subject = { catalog, functions: [...functions.values()], version, baseUrl };
    this.swagger = fixed(swagger(subject));
    const whole = openApi(subject, besideRecords(routes));
    this.openApi = fixed(whole);
    this.compact = fixed(compact(whole, catalog.readable.values()));
  }
}

const fixed = (document: object): FixedBody => new FixedBody(Buffer.from(JSON.stringify(document)));

// The calls that the gateway answers, read from its controllers, so the document cannot contain any other call.

type Route = ReturnType<typeof routesOf>[number];

/** The routes of controllers, without routes that take every method: their handlers decide by more than the path. */
export function routesOf(controllers: readonly Type[]) {
  return controllers.flatMap((controller) => {
    const base = String(Reflect.getMetadata(PATH_METADATA, controller));
    const prototype = controller.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype)
      .map((name) => prototype[name] as object)
      .filter((handler) => Reflect.hasMetadata(METHOD_METADATA, handler))
      .flatMap((handler) => routesOfHandler(base, handler));
  });
}

function routesOfHandler(base: string, handler: object) {
  const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod;
  if (method === RequestMethod.ALL) return [];
  const { access, operation } = endpointOf(handler);
  const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
  // Paths that differ only in a slash at the end are one path.
  return [...new Set(paths.map((path) => openApiPath(base, path)))].map((path) => ({
    method: RequestMethod[method].toLowerCase(),
    path,
    access: shownTo(access),
    /** Undefined for a route that is not described. */
    operation,
  }));
}

/** The description does not distinguish kinds of users: a token identifies each of them. */
const shownTo = (level: AccessLevel): Call['access'] =>
  level === 'open' || level === 'key' ? level : 'user';

/** `auth/v1` and `tokens/:id` as OpenAPI spells them: `/auth/v1/tokens/{id}`. */
const openApiPath = (base: string, path: string): string =>
  `/${[base, path]
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter(Boolean)
    .join('/')}`.replace(/:(\w+)/g, '{$1}');
