// Where there is no pgbench: the same scripts, statement by statement, on connections of our own, prepared likewise.
// It knows of pgbench's language what those scripts use.

import pg from 'pg';
import type { PgbenchRun } from './pgbench.js';

type Variables = Record<string, string>;

interface Step {
  readonly text: string;
  readonly names: readonly string[];
  /** Prefix of the variables that take the row's columns; undefined where nothing is taken. */
  readonly into: string | undefined;
}

/** Transactions a second. */
export async function runLoop({
  databaseUrl,
  clients,
  seconds,
  scripts,
  variables,
  signal,
}: PgbenchRun): Promise<number> {
  const programs = scripts.map((script) => ({
    counts: script.startsWith('\\set n'),
    steps: stepsOf(script),
  }));
  const until = performance.now() + seconds * 1000;
  const counts = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const client = new pg.Client({
        connectionString: databaseUrl,
        options: '-c plan_cache_mode=force_generic_plan',
      });
      await client.connect();
      const own: Variables = { ...variables, client_id: String(index) };
      let done = 0;
      for (; performance.now() < until && !signal.aborted; done += 1) {
        const { counts: numbered, steps } = programs[
          (done * clients + index) % programs.length
        ] as (typeof programs)[0];
        if (numbered) own['n'] = String(Number(own['n']) + 1);
        for (const step of steps) await runStep(client, step, own);
      }
      await client.end();
      return done;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0) / seconds;
}

async function runStep(client: pg.Client, { text, names, into }: Step, variables: Variables): Promise<void> {
  const values = names.map((name) => variables[name]);
  const types = { getTypeParser: () => (value: string) => value } as never;
  const { rows } = await client.query({ name: nameOf(text), text, values, types });
  if (into === undefined) return;
  for (const [column, value] of Object.entries((rows[0] ?? {}) as Variables))
    variables[into + column] = value;
}

const known = new Map<string, string>();

function nameOf(text: string): string {
  const name = known.get(text) ?? `s${known.size}`;
  known.set(text, name);
  return name;
}

function stepsOf(script: string): Step[] {
  return script
    .replace(/^\\set .*\n/, '')
    .split(/;\n|(?<= \\gset(?: \w+)?)\n/)
    .filter((statement) => statement.trim() !== '')
    .map((statement) => {
      const [, sql = '', taken, prefix = ''] = /^([^\\]*)( \\gset ?(\w*))?$/.exec(statement) ?? [];
      const names: string[] = [];
      const text = sql.replace(/(?<!:):(\w+)/g, (_, name: string) => `$${names.push(name)}`);
      return { text, names, into: taken === undefined ? undefined : prefix };
    });
}
