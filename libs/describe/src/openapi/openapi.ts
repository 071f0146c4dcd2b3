// The whole API in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html): resources from the definitions, and the other calls
// of the gateway.

import { REST, TITLE, type Subject } from '../subject.js';
import { type OpenApi, type Operation, type PathItem, reference, type Tag } from './document.js';
import { filtersOf } from './filters.js';
import { functionPath, functionResponses, functionSchemas, functionTag } from './functions.js';
import { headers } from './headers.js';
import { parameters } from './parameters.js';
import { pathOf } from './paths.js';
import { emptyResponses, responsesOf } from './responses.js';
import { problemResponses, problemSchemas } from './problems.js';
import { schemasOf, selectedSchema } from './schemas.js';

/** Calls that are not about a resource, with their tags and the components that they refer to. */
export interface Beside {
  readonly calls: readonly Call[];
  readonly tags: readonly Tag[];
  readonly schemas: Readonly<Record<string, object>>;
  readonly responses: Readonly<Record<string, object>>;
}

/** The OpenAPI document of a catalog and the other calls. */
export function openApi(
  { catalog, functions, version, baseUrl }: Subject,
  { calls, tags, schemas, responses }: Beside,
): OpenApi {
  const resources = [...catalog.readable.values()];
  const tagged = resources.filter(({ historyOf }) => historyOf === undefined);
  return {
    openapi: '3.1.1',
    info: { title: TITLE, version, description: ABOUT, license, contact: { name: TITLE, url: baseUrl } },
    // Relative: the API is on the host that served this document.
    servers: [{ url: new URL(baseUrl).pathname }],
    security: [{ apikey: [], bearer: [] }],
    tags: [...tagged.map(({ name, description }) => ({ name, description })), functionTag, ...tags],
    paths: {
      ...Object.fromEntries(
        resources.map((resource) => [`${REST}/${resource.name}`, pathOf(resource, catalog)]),
      ),
      ...merged(functions.map(functionPath)),
      ...pathsOfCalls(calls),
    },
    components: {
      securitySchemes,
      schemas: {
        ...merged(resources.map(schemasOf)),
        ...merged(functions.map(functionSchemas)),
        ...{ ...selectedSchema, ...problemSchemas, ...schemas },
      },
      parameters: { ...parameters, ...merged(resources.map(filtersOf)) },
      headers,
      responses: merged([
        ...[problemResponses, emptyResponses, ...resources.map(responsesOf)],
        ...[...functions.map(functionResponses), responses],
      ]),
    },
  };
}

const merged = <T extends object>(parts: readonly T[]): T => Object.assign({}, ...parts) as T;

const license = { name: 'Apache-2.0', identifier: 'Apache-2.0' };

const ABOUT = `The data API of a therapy practice: records under \`/rest/v1/\` in the dialect of PostgREST 14, accounts under \`/auth/v1/\` for
supabase-js. Every call needs the project's key (\`apikey\`); calls for records also need a user's access token.

Filters are query parameters \`column=operator.value\`; unknown parameters are an error. Prefix filters, \`order\`, \`limit\` and \`offset\` with a relation to apply them to
related records: \`conversation_log.limit=5\`. A query that is too long for a URL is sent as \`QUERY\` (RFC 10008, which this format cannot describe): the query string is the body, as
\`application/x-www-form-urlencoded\`, and everything else is as with GET. Clients should ignore members and codes that they do not know: the API only changes by additions.`;

const securitySchemes = {
  apikey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: 'Identifies the project. It is public. The query parameter `apikey` works as well.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'The user’s access token or personal token; or the token of an app, without `apikey`.',
  },
};

/** A call that is not about a resource. */
export interface Call {
  readonly method: string;
  /** The path in the notation of OpenAPI: `/auth/v1/tokens/{id}`. */
  readonly path: string;
  /** Required credentials: none, the project's key, or the key and a user's token. */
  readonly access: 'open' | 'key' | 'user';
  readonly operation: Operation;
}

/** The paths of calls. The security and its error responses are derived from `access`. */
function pathsOfCalls(calls: readonly Call[]): OpenApi['paths'] {
  const paths: Record<string, PathItem> = {};
  for (const call of calls) paths[call.path] = { ...paths[call.path], [call.method]: operationOf(call) };
  return paths;
}

function operationOf({ method, path, access, operation }: Call): Operation {
  const refusals = access === 'open' ? {} : { 401: reference('responses', 'Unauthorized') };
  return {
    operationId: operationId(method, path),
    description: `${String(operation['summary'])}.`,
    ...operation,
    ...(access === 'user' ? {} : { security: access === 'key' ? [{ apikey: [] }] : [] }),
    responses: { ...refusals, ...operation.responses },
  };
}

/** `delete_auth_tokens_id` for DELETE `/auth/v1/tokens/{id}`. */
const operationId = (method: string, path: string): string =>
  [method, ...(path.match(/\w+/g) ?? [])].filter((word) => word !== 'v1').join('_');
