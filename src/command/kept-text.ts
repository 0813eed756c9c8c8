/** The last part of a text that comes piece by piece. Positions count characters from the beginning of the text. */
export class KeptText {
  /** The length of all text that has come. */
  length = 0;
  private readonly pieces: string[] = [];
  /** The length of the text that was let go. */
  private left = 0;

  push(piece: string): void {
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** Lets go the pieces that end there or before. */
  leaveBefore(position: number): void {
    let count = 0;
    for (const piece of this.pieces) {
      if (this.left + piece.length > position) break;
      this.left += piece.length;
      count += 1;
    }
    this.pieces.splice(0, count);
  }

  /** What was let go is not in it. */
  slice(from: number, to: number): string {
    let text = '';
    for (let at = this.pieces.length - 1, end = this.length; at >= 0 && end > from; at--) {
      const piece = this.pieces[at]!;
      const start = end - piece.length;
      if (start < to) text = piece.slice(Math.max(0, from - start), to - start) + text;
      end = start;
    }
    return text;
  }
}
