/** Rows of finished item texts as a page, with a link to the next one when there is a row more than asked for. */

/** As long as a link of the service's; comparing answers leaves links out. */
const link = (length) => `http://127.0.0.1:10000/${'n'.repeat(length)}`;

export const jsonPage = (rows, take, linkLength) => ({
  status: 200,
  text: `{${rows.length > take ? `"Next":"${link(linkLength)}",` : ''}"Items":[${texts(rows, take).join(',')}]}`,
});

export const xmlPage = (rows, take, linkLength) => ({
  status: 200,
  type: 'application/xml; charset=utf-8',
  text: `<UserStories${rows.length > take ? ` Next="${link(linkLength)}"` : ''}>\n  ${texts(rows, take).join('\n  ')}\n</UserStories>`,
});

const texts = (rows, take) => (rows.length > take ? rows.slice(0, take) : rows).map(({ item }) => item);
