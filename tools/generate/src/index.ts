// The parts that the generator and specs use.
export { authorityWithServices, backupWithServices, composeWithServices } from './compose.js';
export { rulesManifest, scalingManifest, servicesManifest } from './kubernetes/manifests.js';
export { settingsList } from './settings-list.js';
