/** Answers 405 where an address of files does not know the method. */
import { Controller, Delete, Get, Options, Patch, Post, Put, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { methodNotAllowed } from '../errors.js';
import type { ApiRequest } from '../http/request.js';
import { withoutBody } from '../http/route-facts.js';

const reads = ['Attachment.aspx', 'AttachmentThumbnail.aspx'];
const upload = 'UploadFile.ashx';
const all = [...reads, upload, 'avatar.ashx'];

@Controller()
export class FileMethodsController {
  @Get(upload)
  get(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Post(reads)
  @RouteConfig(withoutBody)
  post(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Put(all)
  @RouteConfig(withoutBody)
  put(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Patch(all)
  @RouteConfig(withoutBody)
  patch(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Options(all)
  @RouteConfig(withoutBody)
  options(@Req() request: ApiRequest): never {
    return refuse(request);
  }

  @Delete([...reads, upload])
  @RouteConfig(withoutBody)
  delete(@Req() request: ApiRequest): never {
    return refuse(request);
  }
}

function refuse({ method, url }: ApiRequest): never {
  if (/^\/+uploadfile/i.test(url)) throw methodNotAllowed(method, ['POST']);
  const isAvatar = /^\/+avatar/i.test(url);
  throw methodNotAllowed(method, ['GET', 'HEAD', ...(isAvatar ? ['POST', 'DELETE'] : [])]);
}
