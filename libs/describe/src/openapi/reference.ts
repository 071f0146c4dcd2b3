/** A reference to a component: `reference('schemas', 'clients')`. */
export const reference = (kind: string, name: string): { readonly $ref: string } => ({
  $ref: `#/components/${kind}/${name}`,
});

/** References to parameters, as in an operation. */
export const parametersOf = (names: readonly string[]): object[] =>
  names.map((name) => reference('parameters', name));
