/** Initials of the words, at most three; of a single word its first three letters. */
export function abbreviation(name: string): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const letters =
    words.length > 1
      ? words.map((word) => [...word].find((letter) => /[\p{L}\p{N}]/u.test(letter))!).slice(0, 3)
      : [...(words[0] ?? name)].slice(0, 3);
  return letters.join('').toUpperCase();
}
