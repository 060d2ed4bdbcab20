/** Larger files are data: no one wants them in an answer. */
export const MAX_FILE_BYTES = 1024 * 1024;
