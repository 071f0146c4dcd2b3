// Provides the tools to specs with a stack. A worker loads their modules once. From a set-up file, every spec would load them again.
import Environment from './environment.mjs';
import { stackTools } from './dist/index.js';

export default class extends Environment {
  constructor(config, context) {
    super(config, context);
    // A copy, as Jest empties the objects among the globals of a spec.
    this.global.practiceTools = { ...stackTools };
  }
}
