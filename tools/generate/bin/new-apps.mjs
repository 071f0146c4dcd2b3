// Writes the app of each service that the contracts name and that has no folder yet. A service needs only these files to serve its resources.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../build/bootstrap.mjs';

/** The packages that an app with rules imports. */
const packages = ['contracts', 'core', 'resource', 'service', 'storage', 'write'];

const files = (service, { version, license }) => ({
  'package.json': `${JSON.stringify(
    {
      name: `@practice/${service}`,
      version,
      license,
      private: true,
      type: 'module',
      dependencies: Object.fromEntries(packages.map((name) => [`@practice/${name}`, version])),
    },
    null,
    2,
  )}\n`,
  'src/main.ts': `import { defineService, runService } from '@practice/service';
import * as rules from './rules.js';

await runService(defineService('${service}', { rules }), import.meta.url);
`,
  'src/rules.ts': `// One line for each decider, policy and handler of a function of the service.

export {};
`,
});

/** Writes the apps that are missing. @returns their folders */
export function writeNewApps(services) {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const missing = services.filter((service) => !existsSync(join(root, 'apps', service, 'src')));
  for (const service of missing)
    for (const [file, text] of Object.entries(files(service, manifest))) {
      const path = join(root, 'apps', service, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  return missing.map((service) => `apps/${service}`);
}
