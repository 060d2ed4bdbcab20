/** The lines of a text, cut out when they are asked for: of a file that is shown, few are. */
export class TextLines {
  readonly length: number;
  /** All of them, with `\n` between them. */
  readonly text: string;
  /** Where each begins, and where one behind the last would. */
  private readonly starts: number[] = [];

  /** Lines are broken as `splitLines` breaks them. */
  constructor(text: string) {
    const even = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    this.text = even.endsWith('\n') ? even.slice(0, -1) : even;
    // Where there is nothing there is no line.
    if (even !== '') this.starts.push(0);
    for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1))
      this.starts.push(at + 1);
    this.length = this.starts.length;
    this.starts.push(this.text.length + 1);
  }

  /** By its place, from 0; empty where there is none. */
  at(place: number): string {
    if (place < 0 || place >= this.length) return '';
    return this.text.slice(this.starts[place] ?? 0, (this.starts[place + 1] ?? 0) - 1);
  }

  /** Which of the lines from one to before another hold any of these lower-case texts, or may: 1 for each of them. */
  holding(texts: readonly string[], from: number, to: number): Uint8Array {
    const last = Math.min(to, this.length);
    const first = Math.max(0, from);
    const found = new Uint8Array(Math.max(0, last - first));
    if (found.length === 0) return found;
    const start = this.starts[first] ?? 0;
    const piece = this.text.slice(start, (this.starts[last] ?? 0) - 1);
    const small = piece.toLowerCase();
    // Every line holds nothing. A few letters have another length in lower case: places in one text are none in the other then.
    if (texts.includes('') || small.length !== piece.length) return found.fill(1);
    for (const text of texts) {
      for (let line = first, at = small.indexOf(text); at !== -1; at = small.indexOf(text, at)) {
        while ((this.starts[line + 1] ?? 0) - start <= at) line += 1;
        found[line - first] = 1;
        at = (this.starts[line + 1] ?? 0) - start;
      }
    }
    return found;
  }

  slice(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let place = Math.max(0, from); place < Math.min(to, this.length); place++)
      lines.push(this.at(place));
    return lines;
  }
}
