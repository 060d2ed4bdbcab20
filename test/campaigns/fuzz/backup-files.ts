/** Backups and exports, damaged and forged as `campaign:backups` does it, without a process for each. */
import { openBackupGround, type BackupKind } from '../backups/backup-campaign.ts';
import type { FuzzKind } from './fuzz-kind.ts';

const ROOMS = ['src/memory/transfer', 'src/storage/sqlite/repair'] as const;

export const BACKUP_FILES: FuzzKind = kindOf('backups', ['flipped', 'forged', 'forged', 'odd']);
export const IMPORT_FILES: FuzzKind = kindOf('imports', ['import']);

function kindOf(name: string, kinds: readonly [BackupKind, ...BackupKind[]]): FuzzKind {
  return {
    name,
    rooms: ROOMS,
    async open(folder) {
      const ground = await openBackupGround(folder);
      return {
        make(random, index) {
          const kind = random.pick(kinds);
          return {
            name: kind,
            // The case is made beside the memory it is restored into; seed and index say all.
            bytes: Buffer.from(`${kind} ${index}\n`),
            run: async () => (await ground.try(kind, index, random)).wrong?.what,
          };
        },
        close: () => ground.close(),
      };
    },
  };
}
