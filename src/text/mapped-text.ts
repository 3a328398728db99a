/** Text that knows, for every UTF-16 unit, which stretch of the source it came from. Positions never go back. */
export class MappedText {
  private constructor(
    readonly text: string,
    private readonly starts: Uint32Array | undefined,
    private readonly ends: Uint32Array | undefined,
  ) {}

  /** The source itself. */
  static of(source: string): MappedText {
    return new MappedText(source, undefined, undefined);
  }

  static built(text: string, starts: number[], ends: number[]): MappedText {
    return new MappedText(text, Uint32Array.from(starts), Uint32Array.from(ends));
  }

  /** Source offset at which the unit begins. */
  startOf(unit: number): number {
    return this.starts ? this.starts[unit]! : unit;
  }

  /** Source offset at which the unit ends, exclusive. */
  endOf(unit: number): number {
    return this.ends ? this.ends[unit]! : unit + 1;
  }
}

/** Collects a MappedText from front to back. */
export class MappedTextBuilder {
  private readonly parts: string[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];

  /** Units so far. */
  get length(): number {
    return this.starts.length;
  }

  /** Text that stands for one stretch of the source as a whole. */
  append(text: string, start: number, end: number): this {
    this.parts.push(text);
    for (let unit = 0; unit < text.length; unit++) {
      this.starts.push(start);
      this.ends.push(end);
    }
    return this;
  }

  /** Units of another text, each with its own place. */
  appendMapped(other: MappedText, from = 0, until = other.text.length): this {
    this.parts.push(other.text.slice(from, until));
    for (let unit = from; unit < until; unit++) {
      this.starts.push(other.startOf(unit));
      this.ends.push(other.endOf(unit));
    }
    return this;
  }

  build(): MappedText {
    return MappedText.built(this.parts.join(''), this.starts, this.ends);
  }
}
