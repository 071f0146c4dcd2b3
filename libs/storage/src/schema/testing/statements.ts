// The statements of a migration, as Postgres' own parser reads them, with the comments before each.
import { parse } from 'libpg-query';

/** A node of Postgres' syntax tree: one key, which is the type of the node. */
export type Node = Readonly<Record<string, unknown>>;

export interface Statement {
  /** Such as `AlterTableStmt`. */
  readonly type: string;
  readonly fields: Node;
  readonly text: string;
  /** The reason of a line `-- contract: …` before the statement or in it. */
  readonly contract: string | undefined;
}

interface Parsed {
  readonly stmts?: readonly {
    readonly stmt: Node;
    readonly stmt_location?: number;
    readonly stmt_len?: number;
  }[];
}

/** @throws {Error} with Postgres' message if the text is not SQL */
export async function statementsOf(sql: string): Promise<Statement[]> {
  // The parser counts bytes.
  const bytes = Buffer.from(sql);
  const { stmts = [] } = (await parse(sql)) as Parsed;
  let end = 0;
  return stmts.map(({ stmt, stmt_location: begin = 0, stmt_len: length = bytes.length - begin }) => {
    const text = bytes.toString('utf8', end, begin + length);
    end = begin + length;
    const [type = '', fields] = Object.entries(stmt)[0] ?? [];
    return { type, fields: fields as Node, text, contract: /^-- contract: *(.*)$/m.exec(text)?.[1] };
  });
}

/** `schema.table` of a node `relation`. */
export function relationOf({ relation }: Node): string {
  const { schemaname, relname } = (relation ?? {}) as { schemaname?: string; relname?: string };
  return [schemaname, relname].filter((part) => part !== undefined).join('.');
}
