/** Hosts stores, indexing, search and memory behind one port: in this thread, or in one of its own. */
export { createEngine, createServices, type EngineServices, type ServiceOptions } from './local-engine.ts';
export { createSharedParts, openTenantMemory } from './choose-storage.ts';
export { createTenantEngines } from './tenant-engines.ts';
export type { Engine, EngineCall } from './port.ts';
export { openEngineThread } from './thread.ts';
export { createRemoteProjects } from './remote-engine.ts';
