/** An OpenAPI document; plain JSON. */
export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly [member: string]: unknown;
}

export type PathItem = Readonly<Record<string, Operation>>;

export interface Operation {
  readonly responses: Readonly<Record<string, object>>;
  readonly [member: string]: unknown;
}

export interface Tag {
  readonly name: string;
  readonly description: string;
}
