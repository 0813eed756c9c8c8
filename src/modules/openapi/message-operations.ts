/** The tools of agents: messages of JSON-RPC 2.0, as the Model Context Protocol has them. */
import { refTo, type Schema } from './openapi-types.js';
import { inJson, object, type Row, schema, text } from './operation-rows.js';

const methods = ['initialize', 'notifications/initialized', 'ping', 'tools/list', 'tools/call'];
const messageId: Schema = { type: ['string', 'integer', 'null'] };
const version = { const: '2.0' };

/** What is wrong with the request is answered as everywhere, what is wrong with the message as its protocol has it. */
const refused = (description: string) =>
  inJson(description, { anyOf: [refTo('schemas', 'Error'), refTo('schemas', 'ToolAnswer')] });

export const messageOperations: readonly Row[] = [
  {
    ...{ at: '/mcp', method: 'post', id: 'callTool', tag: 'Agents' },
    summary: 'One message of the Model Context Protocol: what tools there are, or the call of one.',
    parameters: ['protocolVersion'],
    content: { 'application/json': { schema: schema('ToolMessage') } },
    answer: inJson('The answer to the message.', schema('ToolAnswer')),
    others: {
      202: { description: 'It was a notification, which has no answer.' },
      400: refused('No message of the protocol.'),
      406: refused('The client takes no JSON.'),
    },
    security: ['basic', 'bearer', 'accessTokenHeader', 'accessToken', 'serviceToken'].map((name) => ({ [name]: [] })),
  },
];

export const messageSchemas: Readonly<Record<string, Schema>> = {
  ToolMessage: object(
    {
      jsonrpc: version,
      id: { type: ['string', 'integer'], description: 'Without it the message is a notification.' },
      method: { enum: methods },
      params: { type: 'object', properties: { name: text, arguments: { type: 'object' } } },
    },
    ['jsonrpc', 'method'],
  ),
  ToolAnswer: object(
    {
      jsonrpc: version,
      id: messageId,
      result: { type: 'object' },
      error: object({ code: { type: 'integer' }, message: text }),
    },
    ['jsonrpc', 'id'],
  ),
};
