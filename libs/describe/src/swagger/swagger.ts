// The resources in Swagger 2.0 (https://swagger.io/specification/v2/), as PostgREST serves it at its root
// (https://docs.postgrest.org/en/v14/references/api/openapi.html), for type generators and admin tools.

import { REST, TITLE, type Subject } from '../subject.js';
import { definitionOf } from './definitions.js';
import { pathOf, rootPath, functionPath } from './paths.js';
import { parametersOf, plainParameters } from './parameters.js';

/** A Swagger document; plain JSON. */
interface Swagger {
  readonly swagger: '2.0';
  readonly paths: Readonly<Record<string, object>>;
  readonly definitions: Readonly<Record<string, object>>;
  readonly parameters: Readonly<Record<string, object>>;
  readonly [member: string]: unknown;
}

/** The document of a catalog. */
export function swagger({ catalog, functions, version, baseUrl }: Subject): Swagger {
  const resources = [...catalog.readable.values()];
  const { protocol, host, pathname } = new URL(baseUrl);
  return {
    swagger: '2.0',
    info: {
      title: TITLE,
      version,
      description: 'The records of a therapy practice. The whole API, with accounts, is in openapi.json.',
    },
    host,
    basePath: `${pathname === '/' ? '' : pathname}${REST}`,
    schemes: [protocol.replace(':', '')],
    consumes: MEDIA,
    produces: MEDIA,
    securityDefinitions: {
      apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'Identifies the project.' },
      JWT: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'Identifies the user: `Bearer ` and an access token.',
      },
    },
    security: [{ apikey: [], JWT: [] }],
    paths: {
      '/': rootPath,
      ...Object.fromEntries(resources.map((resource) => [`/${resource.name}`, pathOf(resource)])),
      ...Object.fromEntries(functions.map((one) => [`/rpc/${one.name}`, functionPath(one)])),
    },
    definitions: Object.fromEntries(
      resources.map((resource) => [resource.name, definitionOf(resource, catalog)]),
    ),
    parameters: { ...plainParameters, ...Object.assign({}, ...resources.map(parametersOf)) },
    externalDocs: {
      description: 'PostgREST Documentation',
      url: 'https://docs.postgrest.org/en/v14/references/api.html',
    },
  };
}

const MEDIA = [
  'application/json',
  'application/vnd.pgrst.object+json;nulls=stripped',
  'application/vnd.pgrst.object+json',
  'text/csv',
];
