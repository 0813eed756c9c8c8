/** An agent: the public client of the Model Context Protocol, connected to a service. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

interface Said {
  content: { text: string }[];
  isError?: boolean;
}

export class Agent {
  private constructor(readonly client: Client) {}

  static async over(transport: Transport): Promise<Agent> {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    await client.connect(transport);
    return new Agent(client);
  }

  static http(base: string, headers: Record<string, string>): Promise<Agent> {
    const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } });
    return Agent.over(transport as Transport);
  }

  /** What a tool answers. Fails where it refuses. */
  // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
  async use(name: string, args: Record<string, unknown> = {}): Promise<any> {
    const { content, isError } = (await this.client.callTool({ name, arguments: args })) as unknown as Said;
    if (isError) throw new Error(`${name}: ${content[0]!.text}`);
    return JSON.parse(content[0]!.text);
  }

  /** Why a tool refuses. */
  async refusal(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { content, isError } = (await this.client.callTool({ name, arguments: args })) as unknown as Said;
    if (!isError) throw new Error(`${name} refused nothing: ${content[0]!.text}`);
    return content[0]!.text;
  }

  async tools(): Promise<string[]> {
    return (await this.client.listTools()).tools.map(({ name }) => name);
  }

  close(): Promise<void> {
    return this.client.close();
  }
}
