/**
 * A case that writes what one statement by hand writes, answered with an id: the service beside the servers that have a
 * statement.
 */
export function singleWrite({ name, kind, collection, expects, body, statements, values, ...one }) {
  const byHand = (i, fixture) => ({ method: 'POST', path: `/${name}`, body: body(i, fixture), expects });
  return {
    clients: [16],
    unit: 'requests',
    size: 1,
    ...one,
    name,
    service: (i, fixture) => ({
      ...byHand(i, fixture),
      path: `/api/v1/${collection}?format=json&include=[Id]`,
      headers: fixture.headers,
    }),
    ...Object.fromEntries(Object.keys(statements).map((server) => [server, byHand])),
    async answer(database, input, facts) {
      const [{ id }] = await database.rows(name, statements[database.server], values(input, facts));
      return { status: expects, text: `{"ResourceType":"${kind}","Id":${id}}` };
    },
  };
}
