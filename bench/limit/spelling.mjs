/** Members of an item as SQL text expressions, by hand for the kinds that cases need, in both formats. */

const constant = (text) => `'${text.replaceAll("'", "''")}'`;
const escaped = (value) => `replace(replace(replace(${value}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`;
const quoted = (value) => `replace(${escaped(value)}, '"', '&quot;')`;

export const json = {
  item: (_, kind, { id, name }, members) =>
    `'{"ResourceType":"${kind}","Id":' || ${id}${name ? ` || ',"Name":' || to_json(${name})` : ''}${members.map((text) => ` || ${text}`).join('\n')} || '}'`,
  member: ([name, kind, value]) => `',"${name}":' || ${jsonValues[kind](value)}`,
  customFields: (fields) => `',"CustomFields":[' || ${fields.map(jsonField).join(` || ',' || `) || `''`} || ']'`,
};

const jsonValues = {
  text: (value) => `coalesce(to_json(${value})::text, 'null')`,
  number: (value) => `coalesce(${value}::text, 'null')`,
  date: (value) => `coalesce('"\\/Date(' || (extract(epoch from ${value}) * 1000)::bigint || '+0000)\\/"', 'null')`,
  // Null as a whole, and so `null`, when the joined row is not there.
  reference: ({ kind, id, name, more }) =>
    `coalesce(${json.item('', kind, { id, name }, more.map(json.member))}, 'null')`,
};

const jsonField = ({ name, type }) =>
  `'{"Name":${JSON.stringify(name).replaceAll("'", "''")},"Type":"${type}","Value":' || coalesce(g.custom_values -> ${constant(name)}, 'null') || '}'`;

export const xml = {
  item: (element, kind, { id, name }, members) => {
    const head = `'<${element} ResourceType="${kind}" Id="' || ${id}${name ? ` || '" Name="' || ${quoted(name)}` : ''}`;
    if (members.length === 0) return `${head} || '" />'`;
    return `${head} || '">'${members.map((text) => ` || ${text}`).join('\n')} || '</${element}>'`;
  },
  member: ([name, kind, value]) =>
    kind === 'reference'
      ? xmlReference(name, value)
      : orNil(name, `'<${name}>' || ${xmlValues[kind](value)} || '</${name}>'`),
  customFields: (fields) => `'<CustomFields>' || ${fields.map(xmlField).join(' || ') || `''`} || '</CustomFields>'`,
};

const orNil = (name, text) => `coalesce(${text}, '<${name} nil="true" />')`;

const xmlValues = {
  text: escaped,
  number: (value) => `${value}`,
  date: (value) => `replace(${value}::timestamp::text, ' ', 'T')`,
};

const xmlReference = (element, { kind, id, name, more }) =>
  orNil(element, xml.item(element, kind, { id, name }, more.map(xml.member)));

const xmlField = ({ name, type }) =>
  `'<Field Type="${type}"><Name>${escapeText(name)}</Name>' || ${orNil('Value', `'<Value>' || ${escaped(`(g.custom_values ->> ${constant(name)})`)} || '</Value>'`)} || '</Field>'`;

const escapeText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", "''");
