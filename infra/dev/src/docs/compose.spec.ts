import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../processes/app.js';
import { composeWithServices } from './compose.js';

const file = readFileSync(join(projectFolder, 'docker-compose.yml'), 'utf8');

describe('docker-compose.yml', () => {
  it('has every service; `npm run generate` writes them', () => {
    expect(file).toBe(composeWithServices(file));
  });

  it('is not written without its marked places', () => {
    expect(() => composeWithServices(file.replace('# services: npm run generate', '#'))).toThrow('3 places');
  });
});
