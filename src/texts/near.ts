/** Finds the known name that a misspelt one was probably meant to be, in any letter case. */
export function nearest(input: string, candidates: Iterable<string>): string | undefined {
  if (input.length > longest) return undefined;
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const allowed = allowedMistakes(Math.min(input.length, name.length));
    if (Math.abs(input.length - name.length) > allowed) continue;
    const distance = mistakes(input.toLowerCase(), name.toLowerCase());
    if (distance <= allowed && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name, distance };
  }
  return best?.name;
}

/** Longer texts are no misspelt names, and the cost grows with the square of the length. */
const longest = 64;

/** Two letters tell too little: `id` is not a misspelt `ids`. */
function allowedMistakes(length: number): number {
  if (length <= 2) return 0;
  return length <= 4 ? 1 : 2;
}

/** Damerau-Levenshtein distance: letters added, left out, replaced, or swapped with their neighbour. */
export function mistakes(input: string, name: string): number {
  let previous: number[] = [];
  let above = Array.from({ length: name.length + 1 }, (_, column) => column);
  for (let row = 1; row <= input.length; row++) {
    const current = [row];
    for (let column = 1; column <= name.length; column++) {
      const isSame = input[row - 1] === name[column - 1];
      const isSwapped = input[row - 1] === name[column - 2] && input[row - 2] === name[column - 1];
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? previous[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    previous = above;
    above = current;
  }
  return above[name.length]!;
}
