/** The members of an OpenAPI document that `partOf` selects from. */
export interface WholeDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

/** The document of some paths, with the components that they refer to. */
export function partOf(document: WholeDocument, isWanted: (path: string) => boolean): WholeDocument {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => isWanted(path)));
  const needed = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [ref, kind = '', name = ''] of JSON.stringify(part).matchAll(
      /#\/components\/(\w+)\/([\w.-]+)/g,
    )) {
      if (needed.has(ref)) continue;
      needed.add(ref);
      follow(document.components[kind]?.[name] ?? {});
    }
  };
  follow(paths);
  const isNeeded = (kind: string, name: string): boolean =>
    kind === 'securitySchemes' || needed.has(`#/components/${kind}/${name}`);
  const components = Object.fromEntries(
    Object.entries(document.components).map(([kind, members]) => [
      kind,
      Object.fromEntries(Object.entries(members).filter(([name]) => isNeeded(kind, name))),
    ]),
  );
  return { ...document, paths, components };
}
