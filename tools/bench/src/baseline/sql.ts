// The SQL of the services' reads, made by their own compiler. Only the join across services, which no service runs, is written here.

import { catalog } from '@practice/contracts';
import { compileRead, parseRequest, planRead } from '@practice/query';
import { CLIENT, type Read } from '../reads.js';

/** Any id: values are parameters, so they do not change the text. */
export const ID = '018f0000-0000-7000-8000-00000000000a';

const client = `(SELECT row_to_json(r.*) FROM (SELECT t1."name" AS "name", t1."phone" AS "phone" FROM "clients"."clients" AS t1 WHERE t1.therapist_id = $1 AND t1."id" = t."client_id") AS r) AS "clients"`;

/** The statement of a read, as the service runs it. The clients of another service are joined, which no service may do itself. */
export function statementOf(practice: string, { url, headers = {} }: Read) {
  const [resource = '', query = ''] = url.replace(CLIENT, '').split('?');
  const parsed = parseRequest({ method: 'GET', resource, query, headers, body: new Uint8Array() });
  const plan = planRead(parsed, { catalog, therapistId: practice, practiceRole: 'owner' });
  const { text, values } = compileRead(plan, practice);
  return {
    text: url.includes(CLIENT) ? text.replace('(SELECT row_to_json', (start) => `${client}, ${start}`) : text,
    values: values.map(String),
  };
}
