// The whole API in OpenAPI 3.1 (https://spec.openapis.org/oas/v3.1.1.html): the records as the definitions have them, and
// whatever other calls the gateway answers.

import { REST, TITLE } from '../subject.js';
import type { Subject } from '../subject.js';
import { pathsOfCalls } from './calls.js';
import type { Call } from './calls.js';
import type { OpenApi, Tag } from './document.js';
import { filtersOf } from './filters.js';
import { headers } from './headers.js';
import { parameters } from './parameters.js';
import { pathOf } from './paths.js';
import { emptyResponses, responsesOf } from './responses.js';
import { problemResponses, problemSchemas } from './problems.js';
import { schemasOf, selectedSchema } from './schemas.js';

/** Everything that is no resource: calls, what groups them, and the schemas they refer to. */
export interface Beside {
  readonly calls: readonly Call[];
  readonly tags: readonly Tag[];
  readonly schemas: Readonly<Record<string, object>>;
}

/** The document of a catalog and the calls beside it. */
export function openApi({ catalog, version, baseUrl }: Subject, { calls, tags, schemas }: Beside): OpenApi {
  const resources = [...catalog.resources.values()];
  const ofEach = (part: (resource: (typeof resources)[number]) => object): Record<string, object> =>
    Object.assign({}, ...resources.map(part)) as Record<string, object>;
  return {
    openapi: '3.1.1',
    info: {
      title: TITLE,
      version,
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // Wherever this was read from is where the API is.
    servers: [{ url: new URL(baseUrl).pathname }],
    security: [{ apikey: [], bearer: [] }],
    tags: [...resources.map(({ name, description }) => ({ name, description })), ...tags],
    paths: {
      ...Object.fromEntries(
        resources.map((resource) => [`${REST}/${resource.name}`, pathOf(resource, catalog)]),
      ),
      ...pathsOfCalls(calls),
    },
    components: {
      securitySchemes,
      schemas: { ...ofEach(schemasOf), ...selectedSchema, ...problemSchemas, ...schemas },
      parameters: { ...parameters, ...ofEach(filtersOf) },
      headers,
      responses: { ...problemResponses, ...emptyResponses, ...ofEach(responsesOf) },
    },
  };
}

const ABOUT = `The data API of a therapy practice: records below \`/rest/v1/\` in the dialect of PostgREST 14, accounts below \`/auth/v1/\` as
supabase-js calls them. Every call carries the project's key (\`apikey\`); calls for records carry a user's access token as well.

Filters are query parameters \`column=operator.value\`; a parameter that is no column and none of those below is refused. Filters, \`order\`, \`limit\` and \`offset\` within
related records have the relation before a dot: \`conversation_log.limit=5\`. Callers should pass over members and codes that they do not know: the API changes by
additions only.`;

const securitySchemes = {
  apikey: {
    type: 'apiKey',
    in: 'header',
    name: 'apikey',
    description: 'Names the project; public. Also taken as the query parameter `apikey`.',
  },
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'Names the user: the access token of a session, or a personal token.',
  },
};
