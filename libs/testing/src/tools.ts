// The tools that start servers and processes, as specs use them. tools/jest provides them, so that no package
// imports the tools.
import type { Settings } from '@practice/settings';

/** One more process of the system. */
export interface Extra {
  readonly name: string;
  readonly pid: number;
  /** Where it answers: the API of a gateway, /livez and /readyz of a service. */
  readonly origin: string;
  /** Where it serves /metrics: host and port. */
  readonly metrics: string;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Lets it finish what it has begun. */
  readonly stop: () => Promise<void>;
}

/** A running system. */
export interface JoinedStack {
  readonly baseUrl: string;
  readonly apikey: string;
  readonly dataDir: string;
  /** Folder for programs fetched once. */
  readonly cacheDir: string;
  readonly adminDatabaseUrl: string;
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  /** URL with the credentials of a NATS user: a service by its name, or `admin`. */
  readonly natsUrl: (user: string) => string;
  /** One more process of a service, or one more gateway, on a port of its own. */
  readonly spawnProcess: (service: string, env?: Readonly<Record<string, string>>) => Promise<Extra>;
}

/** A system that a spec has started. */
export interface Stack extends JoinedStack {
  readonly stop: () => Promise<void>;
}

export interface StackOptions {
  /** Settings that differ from the defaults; without limits and on a free port unless they say otherwise. */
  readonly settings?: Partial<Settings>;
  /** Start only Postgres and NATS, and migrate. */
  readonly onlyServers?: boolean;
}

/** A way to a server that can be cut, as when its machine is gone: no farewell comes over it. */
export interface Wire {
  /** The server's URL, by this way. */
  readonly url: string;
  /** Breaks all connections, and refuses new ones until `restore`. */
  readonly cut: () => void;
  /** Keeps all connections open and carries nothing in either direction until `restore`, as when packets are lost. */
  readonly silence: () => void;
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

export interface Redis {
  readonly url: string;
  readonly port: number;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => Promise<void>;
}

/** A streaming replica of Postgres. */
export interface Standby {
  /** URL of the superuser. */
  readonly url: string;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Stops its processes without ending them. @returns lets them go on */
  readonly freeze: () => () => void;
}

/** A process that serves /metrics. */
export interface Target {
  readonly process: string;
  readonly service: string;
  /** Host and port. */
  readonly address: string;
}

export interface StackTools {
  /** The stack that integration and end-to-end specs share. */
  readonly runningStack: () => JoinedStack;
  /** A data folder with the databases of every service, migrated and empty. */
  readonly templateFolder: () => string;
  readonly startStack: (options: StackOptions) => Promise<Stack>;
  /** The compiled commands that work on a data folder. */
  readonly commandsFile: string;
  readonly startRedis: (place: {
    readonly cacheDir: string;
    readonly logDir: string;
    readonly port?: number;
  }) => Promise<Redis>;
  readonly startStandby: (place: {
    readonly primaryUrl: string;
    readonly primaryFolder: string;
    readonly dataDir: string;
    readonly port: number;
  }) => Promise<Standby>;
  readonly wireTo: (url: string) => Promise<Wire>;
  readonly freePort: () => Promise<number>;
  readonly readTargets: (dataDir: string) => Target[];
}

/** @throws {Error} in a spec that was not named `*.int.spec.ts` or `*.e2e.spec.ts` */
export function stackTools(): StackTools {
  const { practiceTools } = globalThis as { practiceTools?: StackTools };
  if (practiceTools) return practiceTools;
  throw new Error('There is no stack here: name this spec *.int.spec.ts or *.e2e.spec.ts.');
}
