// Compares responses with the OpenAPI document of the running system.

import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { call, type Answer } from '@practice/testing';

interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly content?: Readonly<Record<string, object>>;
}

export interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>
  >;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export type Described = Awaited<ReturnType<typeof described>>;

/** The OpenAPI document of the running system. */
export async function described() {
  const document = (await call('/rest/v1/openapi.json')).json as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  (ajvFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema(document, 'api');
  const errorsAt = (pointer: readonly string[], value: unknown): string[] => {
    const ref = `api#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
    return validate(value)
      ? []
      : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
  };
  return {
    document,
    /** Differences between a value and the named schema. */
    misfits: (schema: string, value: unknown) => errorsAt(['components', 'schemas', schema], value),
    /** Differences between a response and the description; an empty list if the response matches. */
    faults: (method: string, path: string, answer: Answer): string[] => {
      const { status, text, json, headers } = answer;
      const at = ['paths', path, method.toLowerCase(), 'responses', String(status)];
      const response = document.paths[path]?.[method.toLowerCase()]?.responses[status];
      if (response === undefined) return [`${method} ${path} is not described to answer ${status}: ${text}`];
      const [pointer, whole] = resolved(document, at, response);
      const strange = headerFaults(headers, whole, (name, value) =>
        errorsAt(['components', 'headers', name, 'schema'], value),
      );
      const type = headers.get('content-type');
      if (type === null || text === '')
        return [...strange, ...(text === '' ? [] : ['a body without a type'])];
      const media = Object.keys(whole.content ?? {}).find(
        (name) => type.replace('; charset=utf-8', '') === name,
      );
      if (media === undefined) return [...strange, `${method} ${path} ${status} is not described as ${type}`];
      return [...strange, ...errorsAt([...pointer, 'content', media, 'schema'], json ?? text)];
    },
  };
}

function resolved(
  { components }: Document,
  at: readonly string[],
  response: Response,
): [readonly string[], Response] {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w.]+)$/.exec(response.$ref ?? '') ?? [];
  return kind === '' ? [at, response] : [['components', kind, name], components[kind]?.[name] as Response];
}

/** Headers of HTTP itself, and headers that protect browsers. */
const PLAIN =
  /^(date|connection|keep-alive|content-(type|length|security-policy)|transfer-encoding|cache-control|x-(content-type|frame)-options|referrer-policy|cross-origin-.*)$/;

const headersOf = (headers: Headers): string[] => [...headers.keys()].filter((name) => !PLAIN.test(name));

/** The names of headers that are not described, and the differences between the other ones and their schemas. */
const headerFaults = (
  given: Headers,
  { headers = {} }: Response,
  errorsOf: (name: string, value: unknown) => string[],
): string[] =>
  headersOf(given).flatMap((name) => {
    const known = Object.keys(headers).find((header) => header.toLowerCase() === name);
    if (known === undefined) return [name];
    const value = given.get(name) ?? '';
    const isCount = /^\d+$/.test(value) && errorsOf(known, 0).length === 0;
    return errorsOf(known, isCount ? Number(value) : value).map((error) => `${name}: ${value}:${error}`);
  });
