/** `GET /assets/{hash}/{name}`: style sheets and browser modules. The same for everybody, so anybody may have and keep them. */
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../auth/public.decorator.js';
import { unknownRoute } from '../errors.js';
import { assets } from './assets.js';

@Public()
@Controller('assets')
export class AssetsController {
  @Get(':hash/:name')
  async asset(@Param('hash') said: string, @Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    const { hash, byName } = await assets();
    const asset = byName.get(name);
    if (!asset) throw unknownRoute(`/assets/${said}/${name}`);
    // Asked for with another hash, by a page from before a change or from another replica: answered, but not kept.
    const lifetime = said === hash ? 'public, max-age=31536000, immutable' : 'no-store';
    reply.removeHeader('vary');
    const headers = { 'content-type': `${asset.type}; charset=utf-8`, 'cache-control': lifetime };
    await reply.headers(headers).send(asset.text);
  }
}
