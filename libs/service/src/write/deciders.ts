import type { Decider, Resource } from '@practice/resource';
import { recordDecider } from './record.js';

/** The deciders of a service by resource; a resource that names none has no rules of its own. */
export class Deciders {
  private readonly byResource: ReadonlyMap<string, Decider>;

  constructor(resources: readonly Resource[], named: readonly Decider[]) {
    const given = new Map(named.map((decider) => [decider.definition.name, decider]));
    this.byResource = new Map(
      resources.map((resource) => [resource.name, given.get(resource.name) ?? recordDecider(resource)]),
    );
  }

  of({ name }: Resource): Decider {
    const decider = this.byResource.get(name);
    if (decider === undefined) throw new Error(`${name} is not decided here`);
    return decider;
  }
}
