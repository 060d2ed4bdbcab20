/** The lines of a text, cut out when they are asked for: of a file that is shown, few are. */
export class TextLines {
  readonly length: number;
  /** All of them, with `\n` between them. */
  readonly text: string;
  /** Where each begins, and where one behind the last would. */
  private readonly starts: Uint32Array;

  /** Lines are broken as `splitLines` breaks them. */
  constructor(text: string) {
    const even = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    this.text = even.endsWith('\n') ? even.slice(0, -1) : even;
    let breaks = 0;
    for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) breaks += 1;
    this.length = even === '' ? 0 : breaks + 1;
    this.starts = new Uint32Array(this.length + 1);
    for (let line = 1, at = -1; line < this.length; line++) {
      at = this.text.indexOf('\n', at + 1);
      this.starts[line] = at + 1;
    }
    this.starts[this.length] = this.text.length + 1;
  }

  /** By its place, from 0; empty where there is none. */
  at(place: number): string {
    if (place < 0 || place >= this.length) return '';
    return this.text.slice(this.starts[place] ?? 0, (this.starts[place + 1] ?? 0) - 1);
  }

  slice(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let place = Math.max(0, from); place < Math.min(to, this.length); place++)
      lines.push(this.at(place));
    return lines;
  }
}
