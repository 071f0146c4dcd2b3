import { serviceVariables, settings } from '@practice/settings';
import { GATEWAY, type Service, services } from '@practice/operator';

/** The settings that a service has for itself. */
const ofService = ({ name, answers }: Service): string | null =>
  answers ? serviceVariables(name).map(line).join('') : null;

const line = (variable: string): string => `      - ${variable}\n`;

/** Presets that apply only to containers: the proxy in front of the gateways is in this network. */
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

/**
 * docker-compose.yml with every service and every setting in their marked places.
 * @throws {Error} when a mark is missing
 */
export const composeWithServices = (file: string): string =>
  filled(withServices(file, blocks), 'settings', [passedOn(), ofServers()]);

/**
 * infra/docker/own-authority.yml with every service.
 * @throws {Error} when a mark is missing
 */
export const authorityWithServices = (file: string): string =>
  withServices(file, [({ name }) => `  ${name}: *authority\n`]);

/**
 * infra/docker/backup.yml with the ledger of every service.
 * @throws {Error} when a mark is missing
 */
export const backupWithServices = (file: string): string =>
  withServices(file, [
    ({ name, answers }) => (answers ? `      - ${name}-erasures:/run/practice/ledgers/${name}\n` : null),
  ]);

type Blocks = readonly ((service: Service) => string | null)[];

const withServices = (file: string, of: Blocks): string =>
  filled(
    file,
    'services',
    of.map((block) => {
      const entries = services.flatMap((service) => block(service) ?? []);
      return entries.join(entries[0]?.includes('<<') ? '\n' : '');
    }),
  );

/** The file with these parts in the places that are marked for them. */
function filled(file: string, kind: 'services' | 'settings', parts: readonly string[]): string {
  const place = new RegExp(`( *# ${kind}: npm run generate\\n)[^]*?( *# end\\n)`, 'g');
  if ([...file.matchAll(place)].length !== parts.length)
    throw new Error(`The file needs ${parts.length} places marked "# ${kind}: npm run generate"`);
  let index = 0;
  return file.replace(place, (_, begin: string, end: string) => `${begin}${parts[index++] ?? ''}${end}`);
}
