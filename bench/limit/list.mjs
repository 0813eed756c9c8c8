/** Stories as ids and names, glued into one text: an expression over the rows of a statement. */
export const listOf = (id, name, order) =>
  `'{"Items":[' || string_agg('{"ResourceType":"UserStory","Id":' || ${id} || ',"Name":' || to_json(${name}) || '}', ',' order by ${order}) || ']}'`;
