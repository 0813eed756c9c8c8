/** What is chosen in each part of the builder, in a few words for when the part is closed. */

/** @param {Partial<Record<import('./query-text.js').Parameter, string>>} values @returns {Record<string, string>} */
export const gists = ({ include, exclude, where, orderBy, orderByDesc, append }) => ({
  include: listed(include) || (exclude ? `all but ${listed(exclude)}` : 'default fields'),
  where: where || 'none',
  order: [orderBy, orderByDesc && `${orderByDesc}, descending`].filter(Boolean).join(', ') || 'default',
  append: listed(append) || 'none',
});

/** @param {string | undefined} text */
const listed = (text) => text?.replace(/^\[|\]$/g, '').replaceAll(',', ', ') ?? '';
