// The work of Postgres for a request: EXPLAIN of the same statements, as the role that runs them, with row-level
// security and the service's setting for plans. Pages and rows say the same on a busy machine as on a quiet one.

import pg from 'pg';
import type { Statement } from '../baseline/sql.js';
import { sum } from '../report/statistics.js';

export interface PostgresCost {
  /** Pages of 8 KiB looked at, in memory or not. */
  readonly pages: number;
  /** Rows that scans came upon, those among them that a filter threw away included. */
  readonly rows: number;
  /** Execution without planning: prepared statements are planned once. */
  readonly milliseconds: number;
  /** How each table was read: the name of an index, or `all of` the table. */
  readonly access: readonly string[];
}

export interface Explainer {
  /** Runs the statements for a practice in a transaction that is taken back. */
  cost(practice: string, statements: readonly Statement[]): Promise<PostgresCost>;
  close(): Promise<void>;
}

/** @param databaseUrl as the role of the service's requests */
export async function openExplainer(databaseUrl: string): Promise<Explainer> {
  const options = '-c plan_cache_mode=force_generic_plan';
  const client = new pg.Client({ connectionString: databaseUrl, options });
  client.on('error', () => undefined);
  await client.connect();
  const prepared = new Map<string, string>();
  const prepare = async (text: string): Promise<string> => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const name = `s${prepared.size}`;
    prepared.set(text, name);
    await client.query(`PREPARE ${name} AS ${text}`);
    return name;
  };
  return {
    cost: async (practice, statements) => {
      for (const { text } of statements) await prepare(text);
      await client.query('BEGIN');
      const acting = ['therapist_id', 'reader', 'writer'].map(
        (name, index) => `set_config('app.${name}', $${index + 1}, true)`,
      );
      await client.query(`SELECT ${acting.join(', ')}`, [practice, 'owner', 'owner']);
      const position = await nextPosition(client, statements);
      const costs: PostgresCost[] = [];
      for (const { text, values } of statements) {
        const filled = values.map((value) => pg.escapeLiteral(value.replaceAll('@position', position)));
        const call = `EXECUTE ${await prepare(text)}(${filled.join(', ')})`;
        const { rows } = await client.query<Explained>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${call}`);
        costs.push(costOf((rows[0] as Explained)['QUERY PLAN'][0]));
      }
      await client.query('ROLLBACK');
      return sumOf(costs);
    },
    close: () => client.end(),
  };
}

/** For a write: its first statement locks the practice and reads its position. */
async function nextPosition(client: pg.Client, statements: readonly Statement[]): Promise<string> {
  const [lock, append] = [statements[0] as Statement, statements[1]];
  if (append === undefined) return '';
  const { rows } = await client.query<{ position: string }>(lock.text, [...lock.values]);
  return String(Number(rows[0]?.position) + 1);
}

interface Explained {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: Node; readonly 'Execution Time': number }];
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Node[];
}

function costOf({ Plan: root, 'Execution Time': milliseconds }: Explained['QUERY PLAN'][0]): PostgresCost {
  const scans = nodesOf(root).filter(({ 'Node Type': type }) => type.endsWith('Scan'));
  return {
    // A node's count includes its children's.
    pages: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    rows: sum(scans.filter((scan) => scan['Relation Name'] !== undefined).map(met)),
    milliseconds,
    access: scans.flatMap((scan) => {
      if (scan['Index Name'] !== undefined) return [scan['Index Name']];
      return scan['Node Type'] === 'Seq Scan' ? [`all of ${scan['Relation Name']}`] : [];
    }),
  };
}

const met = (scan: Node): number =>
  (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'];

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const sumOf = (costs: readonly PostgresCost[]): PostgresCost => ({
  pages: sum(costs.map(({ pages }) => pages)),
  rows: sum(costs.map(({ rows }) => rows)),
  milliseconds: sum(costs.map(({ milliseconds }) => milliseconds)),
  access: [...new Set(costs.flatMap(({ access }) => access))],
});
