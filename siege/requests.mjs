/** Spells requests of the fleet. */
export const times = (count, spell, separator = '') =>
  Array.from({ length: count }, (_, at) => spell(at)).join(separator);

export const inTurn = (all, at) => all[at % all.length];

export const v1 = (collection, parameters) =>
  `/api/v1/${collection}?${new URLSearchParams({ format: 'json', ...parameters })}`;
export const v2 = (entity, parameters) => `/api/v2/${entity}?${new URLSearchParams(parameters)}`;

export const post = (path, body, headers, type = 'application/json') => ({
  method: 'POST',
  path,
  body,
  headers: { ...headers, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body) },
});

/** As text, for connections that are written to directly. */
export const head = (method, path, headers) =>
  `${method} ${path} HTTP/1.1\r\nHost: here\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
