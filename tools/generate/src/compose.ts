import { serviceVariables, settings } from '@practice/settings';
import { GATEWAY, type Service, services } from '@practice/operator';

/** The settings that a service has for itself. */
const ofService = ({ name, answers }: Service): string | null =>
  answers ? serviceVariables(name).map(line).join('') : null;

const line = (variable: string): string => `      - ${variable}\n`;

/** Presets that only containers have: the proxy in front of the gateways is in this network. */
const presets: Readonly<Record<string, string>> = {
  TRUSTED_PROXIES: '${TRUSTED_PROXIES:-${EDGE_NETWORK:-172.30.82.0/24}}',
};

/** The settings that containers pass on. */
const passedOn = (): string =>
  Object.entries(settings)
    .filter(([, { isOfMachine }]) => !isOfMachine)
    .map(([name]) => line(presets[name] === undefined ? name : `${name}=${presets[name]}`))
    .join('');

/** The settings of the step `prepare`. */
const ofServers = (): string =>
  Object.entries(settings)
    .filter(([, { isOfServers }]) => isOfServers)
    .map(([name]) => line(name))
    .join('');

/**
 * The parts of docker-compose.yml for each service: its own settings, the mount of its secrets, its settings again for the step
 * `prepare`, its container and its volumes.
 */
const blocks: Blocks = [
  ofService,
  ({ name }) => `      - ${name}-secrets:/run/practice/${name}\n`,
  ofService,
  ({ name, answers }) => {
    if (name === GATEWAY) return null;
    const volumes = [
      `'${name}-secrets:/run/practice:ro'`,
      ...(answers ? [`'${name}-erasures:/var/lib/practice'`] : []),
    ];
    return (
      `  ${name}:\n    <<: *service\n    command: [node, --env-file=/run/practice/env, --import=./follow.mjs, apps/${name}/dist/main.js]\n` +
      `    volumes: [${volumes.join(', ')}]\n${answers ? '' : '    networks: [bus]\n'}`
    );
  },
  ({ name, answers }) => `  ${name}-secrets:\n${answers ? `  ${name}-erasures:\n` : ''}`,
];

/** The part of infra/docker/own-authority.yml for each service. */
const authority = [({ name }: Service): string => `  ${name}: *authority\n`];

/** The part of infra/docker/backup.yml for each service: its ledger. */
const backup = [
  ({ name, answers }: Service): string | null =>
    answers ? `      - ${name}-erasures:/run/practice/ledgers/${name}\n` : null,
];

const PLACE = /( *# services: npm run generate\n)[^]*?( *# end\n)/g;

/**
 * docker-compose.yml with every service and every setting in their marked places.
 * @throws {Error} when a mark is missing
 */
export const composeWithServices = (file: string): string =>
  withSettings(withServices(file, blocks), [passedOn, ofServers]);

/**
 * infra/docker/own-authority.yml with every service.
 * @throws {Error} when a mark is missing
 */
export const authorityWithServices = (file: string): string => withServices(file, authority);

/**
 * infra/docker/backup.yml with every service.
 * @throws {Error} when a mark is missing
 */
export const backupWithServices = (file: string): string => withServices(file, backup);

const SETTINGS = /( *# settings: npm run generate\n)[^]*?( *# end\n)/g;

function withSettings(file: string, of: readonly (() => string)[]): string {
  if ([...file.matchAll(SETTINGS)].length !== of.length)
    throw new Error(`The file needs ${of.length} places marked "# settings: npm run generate"`);
  let index = 0;
  return file.replace(SETTINGS, (_, begin: string, end: string) => `${begin}${of[index++]?.() ?? ''}${end}`);
}

type Blocks = readonly ((service: Service) => string | null)[];

function withServices(file: string, of: Blocks): string {
  if ([...file.matchAll(PLACE)].length !== of.length)
    throw new Error(`The file needs ${of.length} places marked "# services: npm run generate"`);
  let index = 0;
  return file.replace(PLACE, (_, begin: string, end: string) => {
    const block = of[index++];
    const entries = services.flatMap((service) => block?.(service) ?? []);
    return `${begin}${entries.join(entries[0]?.includes('<<') ? '\n' : '')}${end}`;
  });
}
