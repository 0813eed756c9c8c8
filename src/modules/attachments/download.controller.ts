/** `GET /Attachment.aspx?AttachmentID=`: the bytes of a file, or a range of them, to whoever may see what it is attached to. */
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { parseRange } from '../../files/byte-range.js';
import { contentDisposition } from '../../files/file-name.js';
import type { ByteRange } from '../../files/file-store.js';
import { contentType, isShownInPlace } from '../../files/file-type.js';
import { isFresh } from '../../http/preconditions.js';
import type { ApiRequest } from '../../http/request.js';
import { type AttachedFile, AttachmentFiles } from './attachment-files.js';
import { fileHeaders } from './file-headers.js';

@Controller()
export class DownloadController {
  constructor(private readonly files: AttachmentFiles) {}

  @Get('Attachment.aspx')
  async download(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const file = await this.files.of(request);
    const tag = tagOf(file);
    const headers = { ...fileHeaders(tag), 'accept-ranges': 'bytes' };
    if (isFresh(request, tag)) {
      await reply.status(304).headers(headers).send();
      return;
    }
    const range = rangeOf(request, file, tag);
    const bytes = request.method === 'HEAD' ? '' : await this.files.read(file, range);
    await reply
      .status(range ? 206 : 200)
      .headers({ ...headers, ...contentHeaders(file, range) })
      .send(bytes);
  }
}

/** The bytes below a key never change. */
const tagOf = ({ id, key, content }: AttachedFile): string => (content ? `"${id}"` : `"${key}"`);

/** `If-Range` asks for all of it where it is another file by now. */
function rangeOf({ headers }: ApiRequest, { size }: AttachedFile, tag: string): ByteRange | undefined {
  const condition = headers['if-range'];
  return condition === undefined || condition === tag ? parseRange(headers.range, size) : undefined;
}

function contentHeaders({ name, type, size }: AttachedFile, range: ByteRange | undefined): Record<string, string> {
  return {
    'content-type': contentType(type),
    'content-disposition': contentDisposition(name, isShownInPlace(type)),
    'content-length': String(range ? range.last - range.first + 1 : size),
    ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${size}` }),
  };
}
