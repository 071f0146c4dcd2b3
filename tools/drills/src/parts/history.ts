import { until } from '@practice/operator';
import { firstRow } from '../kit/call.js';
import type { Step } from './step.js';

const EXPORTED_WITHIN = 60_000;

/** Undo, past states and exports. */
export const history: readonly Step[] = [
  {
    title: 'a change is undone, and the state before it can be read',
    walk: async ({ call, client }) => {
      const before = new Date().toISOString();
      const path = `clients?id=eq.${client}`;
      const renamed = await call(`PATCH ${path}`, { name: 'Ada King' });
      const past = await call(`GET ${path}&select=name&as_of=${before}`);
      const undone = await call('POST rpc/undo', { change_id: renamed.headers.get('change-id') });
      const now = await call(`GET ${path}&select=name`);
      const names = [past, now].map((answer) => firstRow(answer)['name']);
      const isUndone = undone.status === 200 && names.every((name) => name === 'Ada Lovelace');
      return [renamed.status === 204 && isUndone, [renamed, past, undone, now]];
    },
  },
  {
    title: 'an export is made and downloaded',
    walk: async ({ call }) => {
      const begun = await call('POST rpc/export_practice', {});
      const { id, link } = begun.body as { id: string; link: string };
      const status = await until(
        async () => {
          const found = firstRow(await call(`GET exports?id=eq.${id}`))['status'];
          return found === 'done' || found === 'failed' ? found : undefined;
        },
        { within: EXPORTED_WITHIN, every: 250 },
      );
      const archive = await fetch(link);
      const bytes = (await archive.arrayBuffer()).byteLength;
      return [status === 'done' && archive.status === 200 && bytes > 1000, [status, archive.status, bytes]];
    },
  },
];
