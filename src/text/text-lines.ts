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
    // Where there is nothing there is no line.
    this.starts = even === '' ? new Uint32Array([0]) : lineStarts(this.text);
    this.length = this.starts.length - 1;
  }

  /** By its place, from 0; empty where there is none. */
  at(place: number): string {
    if (place < 0 || place >= this.length) return '';
    return this.text.slice(this.starts[place] ?? 0, (this.starts[place + 1] ?? 0) - 1);
  }

  /** The lines from one to before another as one text. */
  piece(from: number, to: number): string {
    const last = Math.min(to, this.length);
    return from >= last ? '' : this.text.slice(this.starts[from] ?? 0, (this.starts[last] ?? 0) - 1);
  }

  slice(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let place = Math.max(0, from); place < Math.min(to, this.length); place++)
      lines.push(this.at(place));
    return lines;
  }
}

/** And where one behind the last would. */
function lineStarts(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  starts.push(text.length + 1);
  return new Uint32Array(starts);
}
