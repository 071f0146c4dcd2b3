// The interface of the tools that start servers and processes for specs. tools/jest provides the tools, so that no package imports
// them.
import type { Settings } from '@practice/settings';

/** An additional process of the system. */
export interface Extra {
  readonly name: string;
  readonly pid: number;
  /** The origin of its HTTP server: the API of a gateway, or /livez and /readyz of a service. */
  readonly origin: string;
  /** The host and port at which it serves /metrics. */
  readonly metrics: string;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Stops the process after it has finished its work. */
  readonly stop: () => Promise<void>;
}

/** A running system. */
export interface JoinedStack {
  readonly baseUrl: string;
  readonly apikey: string;
  readonly dataDir: string;
  /** The folder for downloaded programs. */
  readonly cacheDir: string;
  readonly adminDatabaseUrl: string;
  /** URL with the credentials of a Postgres role (`scheduling`, `scheduling_owner`, `scheduling_relay`, …). */
  readonly databaseUrl: (role: string) => string;
  /** URL with the credentials of a NATS user, such as `scheduling`, `gateway` or `admin`. */
  readonly natsUrl: (user: string) => string;
  /** Starts an additional process of a service, or an additional gateway, on its own port. */
  readonly spawnProcess: (service: string, env?: Readonly<Record<string, string>>) => Promise<Extra>;
}

/** A system that a spec has started. */
export interface Stack extends JoinedStack {
  readonly stop: () => Promise<void>;
}

export interface StackOptions {
  /** Settings that differ from the defaults. Unless set, there are no limits and the port is a free one. */
  readonly settings?: Partial<Settings>;
  /** Start only Postgres and NATS, and migrate. */
  readonly onlyServers?: boolean;
}

/** A proxy to a server whose connections can be cut without being closed properly, as when the server's machine fails. */
export interface Wire {
  /** The server's URL through this wire. */
  readonly url: string;
  /** How many connections are open. */
  readonly connections: () => number;
  /** Breaks all connections, and refuses new ones until `restore`. */
  readonly cut: () => void;
  /** Keeps all connections open but transfers nothing in either direction until `restore`, as when packets are lost. */
  readonly silence: () => void;
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

/** A Redis for one spec. */
export interface Redis {
  readonly url: string;
  /** The port, for a later server in place of this one. */
  readonly port: number;
  /** Suspends the server until `resume`: its connections stay open without an answer. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly stop: () => Promise<void>;
}

/** A streaming replica of Postgres. */
export interface Standby {
  /** URL of the superuser. */
  readonly url: string;
  readonly stop: () => Promise<void>;
  /** Starts it again. */
  readonly start: () => Promise<void>;
  /** Suspends its processes: its connections stay open without an answer. @returns a function that resumes them */
  readonly freeze: () => () => void;
}

/** A process that serves /metrics. */
export interface Target {
  readonly process: string;
  readonly service: string;
  /** The host and port of the process's metrics server. */
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

/** The tools of this spec. @throws {Error} in a spec that is not named `*.int.spec.ts` or `*.e2e.spec.ts` */
export function stackTools(): StackTools {
  const { practiceTools } = globalThis as { practiceTools?: StackTools };
  if (practiceTools) return practiceTools;
  throw new Error('There is no stack here: name this spec *.int.spec.ts or *.e2e.spec.ts.');
}
