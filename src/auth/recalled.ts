/**
 * What a credential proved a moment ago, by its very text: finding it is all that most requests cost. No text is kept for longer
 * than two seconds, as little as the request that it came with takes to be collected. Whether the proof still holds is for the
 * asker to tell, from what may have changed since.
 */
const second = 1_000;
const most = 5_000;

export class Recalled<V extends object> {
  private young = new Map<string, V>();
  private old = new Map<string, V>();
  private turning: NodeJS.Timeout | undefined;

  get(text: string): V | undefined {
    return this.young.get(text) ?? this.old.get(text);
  }

  set(text: string, proven: V): void {
    if (this.young.size >= most) return;
    this.young.set(text, proven);
    this.turning ??= setInterval(() => this.turn(), second).unref();
  }

  private turn(): void {
    this.old = this.young;
    this.young = new Map();
    if (this.old.size > 0) return;
    clearInterval(this.turning);
    this.turning = undefined;
  }
}
