// A spec loads this file into a service before the service's own code. It removes the filter by practice from every statement for
// Postgres, as if each layer that writes SQL had forgotten it. Only row-level security still separates practices.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const OWN = /(?:"?\w+"?\.)?"?therapist_id"?\s*=\s*(\$\d+)(?:::uuid)?/g;
/** The place in the driver, which is part of the bundle, where a statement is written. */
const WRITTEN = 'addCString(query.text)';

// Node calls `load` in a thread of its own.
if (isMainThread) register(import.meta.url);

export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (loaded.format !== 'module') return loaded;
  const source = Buffer.from(loaded.source).toString();
  const changed = `addCString(query.text.replaceAll(${String(OWN)}, '$1::uuid IS NOT NULL'))`;
  return { ...loaded, source: source.replace(WRITTEN, () => changed) };
}
