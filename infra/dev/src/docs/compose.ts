import { GATEWAY, services, type Service } from '../services.js';

/** The parts of docker-compose.yml for each service: the mount of its secrets, its container and its volumes. */
const blocks: readonly ((service: Service) => string | null)[] = [
  ({ name }) => `      - ${name}-secrets:/run/practice/${name}\n`,
  ({ name, answers }) => {
    if (name === GATEWAY) return null;
    const volumes = [
      `'${name}-secrets:/run/practice:ro'`,
      ...(answers ? [`'${name}-erasures:/var/lib/practice'`] : []),
    ];
    return (
      `  ${name}:\n    <<: *service\n    command: [node, --env-file=/run/practice/env, apps/${name}/dist/main.js]\n` +
      `    volumes: [${volumes.join(', ')}]\n${answers ? '' : '    networks: [bus]\n'}`
    );
  },
  ({ name, answers }) => `  ${name}-secrets:\n${answers ? `  ${name}-erasures:\n` : ''}`,
];

const PLACE = /( *# services: npm run generate\n)[^]*?( *# end\n)/g;

/**
 * docker-compose.yml with every service in its three marked places.
 * @throws {Error} when a mark is missing
 */
export function composeWithServices(file: string): string {
  if ([...file.matchAll(PLACE)].length !== blocks.length)
    throw new Error(`docker-compose.yml needs ${blocks.length} places marked "# services: npm run generate"`);
  let index = 0;
  return file.replace(PLACE, (_, begin: string, end: string) => {
    const block = blocks[index++];
    const entries = services.flatMap((service) => block?.(service) ?? []);
    return `${begin}${entries.join(entries[0]?.includes('<<') ? '\n' : '')}${end}`;
  });
}
