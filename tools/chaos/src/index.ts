export { chaos } from './chaos.js';
export { drillsUnderLoad } from './drills/index.js';
