// The parts by which a service differs from others, and the connections of its process.

import type { DynamicModule, Provider, Type } from '@nestjs/common';
import type { Connection } from '@practice/bus';
import type { Logger, Troubles } from '@practice/process';
import type { Decider } from '@practice/resource';
import type { ErasureLedger, SealedColumn } from '@practice/privacy';
import type { ServiceConfig } from './service.config.js';
import type { AnyPolicy } from '@practice/projections';
import type { Mirrored, CrossTenantConnection, Sweep, TenantDatabase } from '@practice/storage';

/** The parts of a service beyond the definitions that it owns. */
export interface ServiceParts {
  readonly service: string;
  /** The rules of its aggregates; a resource without one has none. */
  readonly deciders: readonly Decider[];
  /** The columns that it mirrors of other services' records: resource → columns, the id always. */
  readonly mirrored?: Mirrored;
  /** How it reacts to changes of them. */
  readonly policies?: readonly AnyPolicy[];
  /** The handlers of its functions. */
  readonly functions?: readonly Type[];
  /** DDL of private tables. */
  readonly tables?: readonly string[];
  /** Columns of them that have secrets, sealed with the key-encryption keys of the service. */
  readonly sealed?: readonly SealedColumn[];
  /** Operations beyond those on records, with the providers that they need. */
  readonly extension?: (runtime: ServiceRuntime) => ServiceExtension;
}

/** The parts that a service adds to the ones that every service shares. */
export interface ServiceExtension {
  /** Its own modules. The providers that all services share can be injected in them. */
  readonly imports?: readonly (Type | DynamicModule)[];
  readonly controllers?: readonly Type[];
  readonly providers?: readonly Provider[];
  /** Rows of its private tables that are deleted when their time is over. */
  readonly sweeps?: readonly Sweep[];
}

/** Connections that the process has opened before Nest starts. */
export interface ServiceRuntime {
  readonly config: ServiceConfig;
  readonly logger: Logger;
  readonly connection: Connection;
  readonly database: TenantDatabase;
  readonly crossTenant: CrossTenantConnection;
  readonly ledger: ErasureLedger;
  readonly troubles: Troubles;
}
