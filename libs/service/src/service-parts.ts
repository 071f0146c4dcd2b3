// The parts in which a service differs from the others, and the connections of its process.

import type { Provider, Type } from '@nestjs/common';
import type { Connection } from '@practice/bus';
import type { Logger, Troubles } from '@practice/process';
import type { Decider } from '@practice/resource';
import type { ErasureLedger, SealedColumn } from '@practice/privacy';
import type { ServiceConfig } from './service.config.js';
import type { AnyPolicy } from '@practice/projections';
import type { WriteEffect } from '@practice/write';
import type { Mirrored, CrossTenantConnection, Sweep, TenantDatabase } from '@practice/storage';

/** The parts of a service beyond the definitions that it owns. */
export interface ServiceParts {
  readonly service: string;
  /** The rules of its aggregates. A resource without a decider has no rules. */
  readonly deciders: readonly Decider[];
  /** The columns of other services' records that it mirrors: resource → columns. The id is always mirrored. */
  readonly mirrored?: Mirrored;
  /** How it reacts to changes of other services' records. */
  readonly policies?: readonly AnyPolicy[];
  /** The handlers of its functions. */
  readonly functions?: readonly Type[];
  /** Its entry points, in addition to the entry points of every service. */
  readonly controllers?: readonly Type[];
  /** Its other classes that Nest makes. */
  readonly providers?: readonly Type[];
  /** The DDL of its private tables. */
  readonly tables?: readonly string[];
  /** The columns of private tables whose secrets are sealed with the service's key-encryption keys. */
  readonly sealed?: readonly SealedColumn[];
  /** The parts that need the connections of the process. */
  readonly extension?: (runtime: ServiceRuntime) => ServiceExtension;
}

export interface ServiceExtension {
  readonly providers?: readonly Provider[];
  /** The effects of its writes. */
  readonly effects?: readonly Type<WriteEffect>[];
  /** The rows of its private tables that are deleted when they expire. */
  readonly sweeps?: readonly Sweep[];
}

/** The connections and other resources that the process has opened before Nest starts. */
export interface ServiceRuntime {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  /** Serves requests. */
  readonly requests: Connection;
  /** Carries everything else. */
  readonly connection: Connection;
  readonly database: TenantDatabase;
  readonly crossTenant: CrossTenantConnection;
  readonly ledger: ErasureLedger;
  readonly troubles: Troubles;
}
