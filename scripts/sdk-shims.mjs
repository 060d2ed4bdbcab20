/** What the build puts in place of `@modelcontextprotocol/server/_shims`: the same for Node, with the SDK's small validator. */
import process from 'node:process';

export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
export { process };
