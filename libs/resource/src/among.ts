// A value that is chosen among the values of another resource's column, such as a person among the members.

/** Records of a resource by one of their columns. */
export interface Among {
  readonly resource: string;
  readonly column: string;
  /** Only records with these values count. */
  readonly where: Readonly<Record<string, readonly string[]>>;
}

/** The rule in words: `user_id` of one of the `memberships` with `status` active. */
export const saysAmong = ({ resource, column, where }: Among): string => {
  const conditions = Object.entries(where).map(([name, values]) => `\`${name}\` ${values.join(' or ')}`);
  return `\`${column}\` of one of the \`${resource}\` with ${conditions.join(' and ')}`;
};
