/** An index goes from where a project is checked out to a server: what is said on the way, and the server's side of it. */
export { createPushEdge, type PushEdgeOptions } from './edge.ts';
export {
  packFrame,
  PUSH_LIMITS,
  PUSH_PATHS,
  type FileHead,
  type Head,
  type PushStep,
  type StateReply,
} from './protocol.ts';
