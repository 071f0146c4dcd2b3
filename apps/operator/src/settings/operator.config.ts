// The only file of the operator's commands that reads the environment.
import {
  readServiceSettings,
  readSettings as read,
  SettingError,
  type ServiceSettings,
  type Settings as SharedSettings,
} from '@practice/settings';
import { Failure } from '../common/failure.js';
import { places, type PlaceName } from './places.js';
import { storedServices } from './services.js';

export interface Settings extends SharedSettings {
  /** The settings of single services, by the name of the service. */
  readonly ofServices: Readonly<Record<string, ServiceSettings>>;
}

/**
 * The settings of this run.
 * @throws {Failure} with one line for each variable that has a wrong value
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  try {
    const ofServices = storedServices.map(({ name }) => [name, readServiceSettings(name, environment)]);
    return { ...read(environment), ofServices: Object.fromEntries(ofServices) as Settings['ofServices'] };
  } catch (error) {
    throw error instanceof SettingError ? new Failure(error.message) : error;
  }
}

/** Sets the variables of a file that are not set yet. Sets the variables in `fixed` always. */
export function loadSettings(file: string, fixed: Readonly<Record<string, string>>): void {
  process.loadEnvFile(file);
  Object.assign(process.env, fixed);
}

/** The variables that any program needs on this machine. None of them changes its behavior. @param more names of further variables */
export function machineEnvironment(...more: readonly string[]): Record<string, string> {
  const names = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', ...more];
  return Object.fromEntries(
    names.map((name) => [name, process.env[name] ?? '']).filter(([, value]) => value !== ''),
  );
}

export const isProduction = (): boolean => process.env['NODE_ENV'] === 'production';

/**
 * Where the containers of this run are.
 * @throws {Failure} when the name is unknown
 */
export function placeOfContainers(): PlaceName {
  const name = process.env['PLACE'] ?? 'compose';
  if (Object.hasOwn(places, name)) return name as PlaceName;
  throw new Failure(`PLACE must be one of ${Object.keys(places).join(', ')}.`);
}
