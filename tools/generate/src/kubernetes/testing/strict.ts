// Validates documents of Kubernetes against its schemas, and finds fields that the schemas do not have. Every other program, even the
// cluster, ignores a misspelt field.

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [member: string]: unknown;
}

interface Model {
  readonly prototype: { validate(this: object): void };
}

/** The package with the schemas of an API: https://github.com/tommy351/kubernetes-models-ts */
const packageOf = (apiVersion: string): string =>
  ({
    'postgresql.cnpg.io/v1': '@kubernetes-models/cloudnative-pg',
    'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator',
  })[apiVersion] ?? 'kubernetes-models';

/** @returns errors of validation, and the paths of unknown fields */
export async function problemsOf(document: Manifest): Promise<string[]> {
  const { apiVersion, kind } = document;
  const models = (await import(`${packageOf(apiVersion)}/${apiVersion}`)) as Record<string, Model>;
  const unread = new Set<string>();
  const problems: string[] = [];
  try {
    models[kind]?.prototype.validate.call(watched(document, '', unread));
  } catch (error) {
    problems.push(String(error));
  }
  return [...problems, ...[...unread].map((path) => `${path} is not in the schema`)];
}

/** A copy of the value that leaves in `unread` the members that are never read. A compiled schema reads each member that it knows. */
function watched<T>(value: T, path: string, unread: Set<string>): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value))
    return value.map((item, index) => watched(item, `${path}[${index}]`, unread)) as T;
  const members = Object.entries(value).map(([name, member]) => {
    unread.add(`${path}.${name}`);
    return [name, watched(member as unknown, `${path}.${name}`, unread)] as const;
  });
  return new Proxy(Object.fromEntries(members) as T & object, {
    get(target, name, receiver) {
      unread.delete(`${path}.${String(name)}`);
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
}
