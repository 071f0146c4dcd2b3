// Loaded into a service before its own code, only by a spec. It removes the practice from every statement on its way to
// Postgres, as if each layer that writes SQL had forgotten it. Only row-level security still keeps practices apart.
import pg from 'pg';

const OWN = /(?:"?\w+"?\.)?"?therapist_id"?\s*=\s*(\$\d+)(?:::uuid)?/g;
const { prototype } = pg.Connection;
const parse = prototype.parse;

prototype.parse = function (query) {
  return parse.call(this, { ...query, text: query.text.replaceAll(OWN, '$1::uuid IS NOT NULL') });
};
