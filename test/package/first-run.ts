/** The machine of the first two minutes with Waymark, and its screen. */
import { mkdirSync } from 'node:fs';
import type { TempFolder } from '../support/temp-folder.ts';

export const CURSOR_FILE =
  '{\n  // my servers\n  "mcpServers": {\n    "files": { "command": "files-mcp" } // local\n  },\n}\n';

/** A home with three clients and a small repository. */
export function prepareMachine(folder: TempFolder): void {
  folder.write({
    'home/.cursor/mcp.json': CURSOR_FILE,
    'home/.codex/config.toml': '# mine\nmodel = "o4"\n',
    'project/src/upload/queue.ts':
      '/** Retries failed uploads with growing pauses. */\nexport function retryWithBackoff(upload: () => Promise<void>) {\n  return upload();\n}\n',
    'project/src/upload/worker.ts': 'export class UploadWorker {\n  onChunkError(): void {}\n}\n',
    'project/README.md': '# Web shop\n\nUploads are retried.\n',
    'project/.env': 'TOKEN=secret\n',
  });
  mkdirSync(folder.join('home/.codeium/windsurf'), { recursive: true });
}

/** What differs from run to run and machine to machine, as names. */
export function settled(screen: string, folder: TempFolder): string {
  return (
    screen
      .replaceAll(folder.path, '/machine')
      .replaceAll(process.execPath, '/usr/bin/node')
      // How much of a path is shown depends on how long it is.
      .replaceAll(/\/machine[^\s"]*…/g, '/machine/…')
      .replaceAll(/waymark \d+\.\d+\.\d+/g, 'waymark 1.2.3')
      .replaceAll(/app\/\d+\.\d+\.\d+\//g, 'app/1.2.3/')
      .replaceAll(/\d+ tools, about \d+ tokens, \d+ ms/g, 'N tools, about N tokens, N ms')
      .replaceAll(/indexed in [\d.]+ s/g, 'indexed in N s')
  );
}
