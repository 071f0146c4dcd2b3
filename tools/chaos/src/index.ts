export { chaos } from './chaos.js';
export { compareByApi } from './checks/by-api.js';
export { compare } from './checks/compare.js';
export { findHaproxy, startHaproxy } from './kit/haproxy.js';
export { type Means, Missing, openMeans } from './kit/means.js';
export { findProgram } from './kit/programs.js';
export { kill, startProgram } from './kit/server-program.js';
export { startLoad } from './load.js';
