/**
 * `GET /assets/{hash}/{name}`: style sheets and browser modules. The same for everybody, so anybody may have and keep
 * them.
 */
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { unknownRoute } from '../errors.js';
import { Public } from '../http/public.decorator.js';
import { assets } from './assets.js';

@Public()
@Controller('assets')
export class AssetsController {
  @Get(':hash/:name')
  async asset(
    @Param('hash') requestedHash: string,
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { hash, byName } = await assets();
    const asset = byName.get(name);
    if (!asset) throw unknownRoute(`/assets/${requestedHash}/${name}`);
    // Asked for with another hash, by a page from before a change or from another replica: answered, but not kept.
    const lifetime = requestedHash === hash ? 'public, max-age=31536000, immutable' : 'no-store';
    const headers = {
      'content-type': `${asset.type}; charset=utf-8`,
      'cache-control': lifetime,
      vary: 'Accept-Encoding',
    };
    reply.headers(headers);
    if (takesGzip(request)) await reply.header('content-encoding', 'gzip').send(asset.gzipped);
    else await reply.send(asset.text);
  }
}

const takesGzip = ({ headers }: FastifyRequest): boolean => {
  const accepted = headers['accept-encoding'];
  return /(^|[\s,])gzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(
    Array.isArray(accepted) ? accepted.join() : (accepted ?? ''),
  );
};
