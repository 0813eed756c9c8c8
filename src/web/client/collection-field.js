/** The field that a collection is chosen in, by name or from the list of all. */
import { combobox } from './combobox.js';
import { matching } from './complete.js';

/**
 * @param {HTMLInputElement} field
 * @param {import('./metadata.js').Metadata} metadata
 * @param {(path: string) => void} chosen
 */
export function collectionField(field, metadata, chosen) {
  combobox(field, {
    async complete(input) {
      const index = await metadata.index();
      const options = index.map(({ collection, description }) => ({
        text: collection,
        label: collection,
        note: description,
      }));
      // Somebody who comes back to a finished name looks for another one.
      const isWhole = options.some(({ text }) => text.toLowerCase() === input.toLowerCase());
      return { from: 0, to: input.length, options: isWhole ? options : matching(options, input) };
    },
    changed: () => chosen(field.value.trim()),
    isOpenOnFocus: true,
  });
}
