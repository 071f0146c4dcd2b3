import { describe, expect, it } from '@jest/globals';
import { catalogOf, column, resource, type Resource } from '@practice/resource';
import { embeddedResources, parseRequest } from '../index.js';
import { requestOf } from '../testing/sample.js';

const hosts = resource({
  name: 'hosts',
  service: 'house',
  aggregate: 'host',
  description: 'Hosts.',
  columns: { name: column.text({}) },
  events: { HostAdded: 'created' },
});
const guests = resource({
  name: 'guests',
  service: 'house',
  aggregate: 'guest',
  description: 'Guests.',
  columns: { host_id: column.uuid({ references: 'hosts' }) },
  events: { GuestAdded: 'created' },
});
const catalog = catalogOf([hosts, guests]);

function embeddedIn(name: string, select: string): readonly string[] {
  const { options } = parseRequest(requestOf(`select=${select}`, { resource: name }));
  return embeddedResources(catalog.readable.get(name) as Resource, options.select, catalog);
}

describe('the resources that a select embeds', () => {
  it.each([
    ['at every depth', 'hosts', 'id,guests(hosts(id))', ['guests', 'hosts']],
    ['by an alias and a column', 'guests', 'who:host_id(name)', ['hosts']],
    ['as a history, which shows the records of its resource', 'hosts', 'hosts_history(version)', ['hosts']],
    ['below a history', 'hosts', 'hosts_history(hosts(guests(id)))', ['hosts', 'guests']],
    ['from a history', 'guests_history', 'guests(hosts(name))', ['guests', 'hosts']],
    ['not at all', 'hosts', 'id,name', []],
  ])('are known %s', (_how, name, select, expected) => {
    expect(embeddedIn(name, select)).toEqual(expected);
  });
});
