/**
 * Lets into a cache only what comes again. What is kept and never asked for lives just long enough to be dear to
 * collect, and pushes out what is asked for. It remembers a few thousand texts by a number each, and may take one for
 * another, which costs a place in the cache and nothing else.
 */
export class AdmissionFilter {
  private readonly seen = new Int32Array(8192);

  /** Whether the text was asked about before, of late. */
  knows(text: string): boolean {
    let hash = 0x811c9dc5 | 0;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    const place = (hash ^ (hash >>> 15)) & 8191;
    if (this.seen[place] === hash) return true;
    this.seen[place] = hash;
    return false;
  }
}
