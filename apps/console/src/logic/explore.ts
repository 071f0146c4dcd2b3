// The explorer: resources, the filters that a user types, and the request as code.

export interface Query {
  readonly resource: string;
  readonly select: string;
  readonly filters: readonly (readonly [column: string, condition: string])[];
  readonly order: string;
  readonly limit: number;
}

/**
 * Reads filters in the format of the API, one per line: `status=eq.active`.
 * @returns the filters, and as `wrong` the lines that are not a filter
 */
export function filtersOf(text: string): { filters: [string, string][]; wrong: string[] } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const filters: [string, string][] = [];
  const wrong: string[] = [];
  for (const line of lines) {
    const [, column, condition] = /^([\w.>-]+)=(.+)$/.exec(line) ?? [];
    if (column && condition) filters.push([column, condition]);
    else wrong.push(line);
  }
  return { filters, wrong };
}

/** The path of the request, below `/rest/v1/`. */
export function pathOf({ resource, select, filters, order, limit }: Query): string {
  const parameters = [
    ['select', select],
    ...filters,
    ...(order ? [['order', order]] : []),
    ['limit', String(limit)],
  ] as [string, string][];
  return `${resource}?${parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

export interface Order {
  readonly column: string;
  readonly ascending: boolean;
  readonly nullsFirst?: boolean;
}

/** An order such as `date.desc.nullslast,start_time` in the format of supabase-js. */
export const ordersOf = (order: string): Order[] =>
  order
    .split(',')
    .map((part) => part.trim().split('.'))
    .flatMap(([column, ...words]) => {
      if (!column) return [];
      const nulls = words.includes('nullsfirst') || (words.includes('nullslast') ? false : undefined);
      const ascending = !words.includes('desc');
      return [{ column, ascending, ...(nulls !== undefined && { nullsFirst: nulls }) }];
    });

const quoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

/** The request as a command for a shell. */
export const curlOf = (query: Query, baseUrl: string): string =>
  `curl '${baseUrl}/rest/v1/${pathOf(query).replaceAll("'", '%27')}' \\\n  -H "apikey: $KEY" -H "Authorization: Bearer $TOKEN"`;

/** The request as code with supabase-js. */
export function codeOf({ resource, select, filters, order, limit }: Query): string {
  const conditions = filters.map(([column, condition]) => {
    const [operator, ...value] = condition.split('.');
    return `  .filter(${quoted(column)}, ${quoted(operator ?? '')}, ${quoted(value.join('.'))})`;
  });
  const sorted = ordersOf(order).map(({ column, ...words }) => {
    const options = Object.entries(words).map(([name, value]) => `${name}: ${value}`);
    return `  .order(${quoted(column)}, { ${options.join(', ')} })`;
  });
  return [
    `const { data, error } = await supabase`,
    `  .from(${quoted(resource)})`,
    `  .select(${quoted(select)})`,
    ...conditions,
    ...sorted,
    `  .limit(${limit});`,
  ].join('\n');
}

export const cellOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
