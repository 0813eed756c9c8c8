/** How the values of a field are compared and asked for, by the type that the metadata names. */

/** @typedef {import('./where-rows.js').ValueKind} ValueKind */

/** @type {Record<string, ValueKind>} */
const kinds = {
  Int32: 'number',
  Int64: 'number',
  Decimal: 'number',
  Double: 'number',
  Boolean: 'flag',
  DateTime: 'moment',
  String: 'text',
};

/**
 * @param {string} type
 * @param {Record<string, readonly string[]>} choices the names that types of choices have
 * @returns {ValueKind}
 */
export const valueKind = (type, choices) => kinds[type] ?? (choices[type] ? 'choice' : 'text');
