import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { newId } from '@practice/core';
import { scratchDatabase, withClient } from '@practice/testing';
import { openErasure, openErasuresTable, selectOpen, type OpenErasure } from './open-erasures.js';

it('selects the oldest erasure of each practice before later erasures of a practice with many', async () => {
  const many = { therapistId: randomUUID() };
  const few = { therapistId: randomUUID() };
  const opened: OpenErasure[] = [];
  while (opened.length < 150) opened.push({ ...many, id: newId() });
  opened.push({ ...few, id: newId() });
  const scratch = await scratchDatabase();
  try {
    await withClient(scratch.url, async (client) => {
      await client.query('CREATE SCHEMA clients');
      for (const statement of openErasuresTable) await client.query(statement);
      for (const { text, values } of opened.map(openErasure)) await client.query(text, [...values]);
      const { rows } = await client.query<{ id: string }>(selectOpen.text);
      expect(rows).toHaveLength(100);
      expect(rows.slice(0, 3).map(({ id }) => id)).toEqual(
        [opened[0], opened[150], opened[1]].map((one) => one?.id),
      );
    });
  } finally {
    await scratch.drop();
  }
});
