// The bare server: one process, Fastify and pg, with the service's SQL and nothing else. It learns by a message which
// database to use, and reports the port that it listens on.

import { fastify } from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { Booking } from '../calendar.js';
import { poolOf } from './pool.js';
import { readsOn } from './reads.js';
import type { Reads } from './reads.js';
import { loggedWrites, plainWrites } from './writes.js';
import type { Writes } from './writes.js';

type Query = Readonly<Record<'practice' | 'date' | 'from' | 'to' | 'id' | 'text' | 'client', string>>;

const JSON_TYPE = 'application/json; charset=utf-8';

process.once('message', ({ databaseUrl }: { databaseUrl: string }) => {
  void serve(databaseUrl);
});
process.once('disconnect', () => process.exit());

async function serve(databaseUrl: string): Promise<void> {
  const pool = poolOf(databaseUrl);
  const server = fastify();
  let isSaid = false;
  server.setErrorHandler((error, _request, reply) => {
    if (!isSaid) console.error(`bare server: ${error instanceof Error ? error.message : String(error)}`);
    isSaid = true;
    void reply.code(500).send();
  });
  const reads = readsOn(pool);
  addReads(server, reads);
  addShapes(server, reads);
  addWrites(server, '/logged', loggedWrites(pool));
  addWrites(server, '/plain', plainWrites(pool));
  const origin = await server.listen({ host: '127.0.0.1', port: 0 });
  process.send?.({ origin });
}

function addReads(server: FastifyInstance, reads: Reads): void {
  server.get<{ Querystring: Query }>('/day', async ({ query }, reply) => {
    reply.header('content-type', JSON_TYPE);
    return reads.day(query.practice, query.date);
  });
  server.get<{ Querystring: Query }>('/list', async ({ query }, reply) => {
    reply.header('content-type', JSON_TYPE);
    return reads.list(query.practice, query.from, query.to);
  });
  server.get<{ Querystring: Query }>('/search', async ({ query }, reply) => {
    reply.header('content-type', JSON_TYPE);
    return reads.search(query.practice, `%${query.text}%`);
  });
  server.get<{ Querystring: Query }>('/notes', async ({ query }, reply) => {
    reply.header('content-type', JSON_TYPE);
    return reads.notes(query.practice, query.client);
  });
  server.get<{ Querystring: Query }>('/expenses', async ({ query }, reply) => {
    reply.header('content-type', JSON_TYPE);
    return reads.expenses(query.practice);
  });
}

function addShapes(server: FastifyInstance, reads: Reads): void {
  for (const name of ['within', 'across'] as const) {
    server.get<{ Querystring: Query }>(`/${name}`, async ({ query }, reply) => {
      reply.header('content-type', JSON_TYPE);
      return reads[name](query.practice, query.date);
    });
  }
  server.get<{ Querystring: Query }>('/count', async ({ query }, reply) => {
    reply.header('content-type', JSON_TYPE);
    return reads.count(query.practice);
  });
  server.get<{ Querystring: Query }>('/csv', async ({ query }, reply) => {
    reply.header('content-type', 'text/csv; charset=utf-8');
    return reads.csv(query.practice);
  });
}

function addWrites(server: FastifyInstance, path: string, writes: Writes): void {
  server.post<{ Querystring: Query; Body: Booking }>(path, async ({ query, body }, reply) => {
    await writes.book(query.practice, body);
    return reply.code(201).send();
  });
  server.patch<{ Querystring: Query; Body: { status: string } }>(path, async ({ query, body }, reply) => {
    await writes.changeStatus(query.practice, query.id, body.status);
    return reply.code(204).send();
  });
}
