// Provides the tools to specs with a stack. A worker loads their modules once: as a set-up file, every spec would load them again.
import Environment from './environment.mjs';
import { stackTools } from './dist/index.js';

export default class extends Environment {
  constructor(config, context) {
    super(config, context);
    // A copy: Jest empties what a spec finds among its globals.
    this.global.practiceTools = { ...stackTools };
  }
}
