/** Whether a folder lies where others can change it without this machine being told. */
import { statfsSync } from 'node:fs';

/** What Linux calls file systems that live on another machine, in another guest or in another program. */
const REMOTE_TYPES: ReadonlySet<number> = new Set([
  0x6969, // nfs
  0x51_7b, // smb
  0xff_53_4d_42, // cifs
  0xfe_53_4d_42, // smb2
  0x65_73_55_46, // fuse: sshfs, virtiofs, desktop sharing
  0x01_02_19_97, // 9p: files of Windows in WSL, folders shared with virtual machines
  0x53_46_41_4f, // afs
  0x00_c3_64_00, // ceph
  0x0b_d0_0b_d0, // lustre
  0x47_50_46_53, // gpfs
  0x78_6f_42_56, // vboxsf
  0x7c_7c_66_73, // prl_fs
]);

export function isNetworkFolder(absPath: string): boolean {
  // Elsewhere the numbers mean something else, and the system's own watches see what it can see.
  if (process.platform !== 'linux') return false;
  try {
    return REMOTE_TYPES.has(Number(statfsSync(absPath).type) >>> 0);
  } catch {
    return false;
  }
}
