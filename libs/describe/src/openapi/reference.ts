/** A reference to a component: `reference('schemas', 'clients')`. */
export const reference = (kind: string, name: string): { readonly $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

/** References by name, as in the `headers` of a response. */
export const references = (kind: string, names: readonly string[]): Record<string, object> =>
  Object.fromEntries(names.map((name) => [name, reference(kind, name)]));
