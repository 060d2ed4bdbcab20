/** The page for a browser on this machine: its files, one JSON API under /ui/api, and the log of calls it shows. */
export type { FindingValue } from './api.ts';
export { createCallLog, type CallLog } from './call-log.ts';
export { createPageEdge, type PageEdge, type PageEdgeOptions } from './edge.ts';
export type { PageFile } from './page-replies.ts';
export { tellCalls, type ListingClient, type PageDoor } from './tell-calls.ts';
export type { MadeCall } from './call-note.ts';
