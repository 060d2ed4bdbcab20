/** What becomes of one entry and its file, from what both say now and what they said when they last agreed. Pure. */
export interface Sides {
  /** What the file would say of the entry as it is; undefined if the entry is gone. */
  readonly entry: string | undefined;
  /** What the file says; undefined if there is none. */
  readonly file: string | undefined;
  /** A digest of what both said when they last agreed; undefined if they never did. */
  readonly agreed: string | undefined;
}

export type LinkStep =
  /** They say the same. */
  | 'agree'
  | 'write_file'
  /** The file was edited: that is a new version of the entry, whatever the entry says. */
  | 'take_file'
  /** The file was deleted by a person: the entry goes to the bin. */
  | 'forget_entry'
  /** The entry was forgotten: its file goes. */
  | 'delete_file'
  /** The entry was forgotten, and its file edited since: it comes back as the file says. */
  | 'restore_from_file'
  /** The file is of an entry that this memory does not have. */
  | 'adopt_file'
  | 'nothing';

export function planLink({ entry, file, agreed }: Sides, digest: (text: string) => string): LinkStep {
  if (entry === undefined) {
    if (file === undefined) return 'nothing';
    if (agreed === undefined) return 'adopt_file';
    return digest(file) === agreed ? 'delete_file' : 'restore_from_file';
  }
  if (file === undefined) return agreed === undefined ? 'write_file' : 'forget_entry';
  if (file === entry) return 'agree';
  return digest(file) === agreed ? 'write_file' : 'take_file';
}
