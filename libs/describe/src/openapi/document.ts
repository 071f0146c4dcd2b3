/** An OpenAPI document; plain JSON. */
export interface OpenApi<Item = PathItem> {
  readonly openapi: '3.1.1';
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Item>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly [member: string]: unknown;
}

export type PathItem = Readonly<Record<string, Operation>>;

/** A path of the short form. Responses without a body are left out, and the operations share their parameters. */
export type CompactPathItem = Readonly<Record<string, object>>;

export interface Operation {
  readonly responses: Readonly<Record<string, object>>;
  readonly [member: string]: unknown;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** A reference to a component: `reference('schemas', 'clients')`. */
export const reference = (kind: string, name: string): { readonly $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

/** References to parameters, as in an operation. */
export const parametersOf = (names: readonly string[]): object[] =>
  names.map((name) => reference('parameters', name));
