/** The tools of agents. */
import { Module } from '@nestjs/common';
import { KnownOrigins } from './known-origins.js';
import { McpController } from './mcp.controller.js';

@Module({ controllers: [McpController], providers: [KnownOrigins] })
export class McpModule {}
