// The bare server: one process, Fastify and pg, with the service's SQL and nothing else. Its only order is the URL of the
// database. It answers with its own origin.

import { fastify, type FastifyInstance } from 'fastify';
import pg from 'pg';
import type { Booking } from '../calendar.js';
import { examples } from '../reads.js';
import { serveOrders } from '../worker.js';
import { ID, statementOf } from './sql.js';
import { plainWrites } from './writes.js';

type Query = Readonly<Record<'practice' | 'id' | 'values', string>>;

serveOrders(async ({ databaseUrl }: { readonly databaseUrl: string }): Promise<string> => {
  // Connections as pg's documentation shows them, ten at most, with the service's setting for plans.
  const options = '-c plan_cache_mode=force_generic_plan';
  const pool = new pg.Pool({ connectionString: databaseUrl, options });
  const server = fastify();
  let isSaid = false;
  server.setErrorHandler((error, _request, reply) => {
    if (!isSaid) console.error(`bare server: ${error instanceof Error ? error.message : String(error)}`);
    isSaid = true;
    void reply.code(500).send();
  });
  addReads(server, pool);
  addWrites(server, pool);
  return server.listen({ host: '127.0.0.1', port: 0 });
});

/** Adds the reads, which use the product's own tables. The URL contains the values of the statement. */
function addReads(server: FastifyInstance, pool: pg.Pool): void {
  for (const [name, read] of Object.entries(examples('', ID))) {
    const { text } = statementOf(ID, read);
    const type = name === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
    server.get<{ Querystring: Query }>(`/${name}`, async ({ query }, reply) => {
      const values = JSON.parse(query.values) as string[];
      const { rows } = await pool.query<{ body: string }>({ name, text, values });
      reply.header('content-type', type);
      return rows[0]?.body ?? '';
    });
  }
}

function addWrites(server: FastifyInstance, pool: pg.Pool): void {
  const writes = plainWrites(pool);
  server.post<{ Querystring: Query; Body: Booking }>('/appointments', async ({ query, body }, reply) => {
    await writes.book(query.practice, body);
    return reply.code(201).send();
  });
  server.patch<{ Querystring: Query; Body: { status: string } }>(
    '/appointments',
    async ({ query, body }, reply) => {
      await writes.changeStatus(query.practice, query.id, body.status);
      return reply.code(204).send();
    },
  );
}
