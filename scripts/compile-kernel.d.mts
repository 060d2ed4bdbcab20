/** The files of src/kernel that are compiled from kernel/. */
export const KERNEL_FILES: readonly string[];
/** The first line of each, with the digest of what they are made from. */
export function headOf(): string;
