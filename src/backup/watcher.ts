/** Whoever is shown how far a backup or restore is. */
export interface Watcher {
  update(part: string, done: number, total: number): void;
  line(text: string): void;
}
