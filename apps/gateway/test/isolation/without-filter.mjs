// A spec loads this file into a service before the service's own code. It removes the filter by practice from every statement for
// Postgres, as if each layer that writes SQL had forgotten it. Only row-level security still separates practices.
import pg from 'pg';

const OWN = /(?:"?\w+"?\.)?"?therapist_id"?\s*=\s*(\$\d+)(?:::uuid)?/g;
const { prototype } = pg.Connection;
const parse = prototype.parse;

prototype.parse = function (query) {
  return parse.call(this, { ...query, text: query.text.replaceAll(OWN, '$1::uuid IS NOT NULL') });
};
