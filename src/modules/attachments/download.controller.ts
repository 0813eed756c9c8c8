/**
 * `GET /Attachment.aspx?AttachmentID=`: the bytes of a file, or ranges of them, to whoever may see what it is attached
 * to.
 */
import type { Readable } from 'node:stream';
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { parseRanges } from '../../files/byte-range.js';
import { Downloads } from '../../files/downloads.js';
import { contentDisposition } from '../../files/file-name.js';
import type { ByteRange } from '../../files/file-store.js';
import { contentType, isShownInPlace } from '../../files/file-type.js';
import { severalRanges } from '../../files/several-ranges.js';
import { checkTag, isFresh } from '../../http/preconditions.js';
import type { ApiRequest } from '../../http/request.js';
import { type AttachedFile, AttachmentFiles } from './attachment-files.js';
import { fileHeaders } from './file-headers.js';

@Controller()
export class DownloadController {
  constructor(
    private readonly files: AttachmentFiles,
    private readonly downloads: Downloads,
  ) {}

  @Get('Attachment.aspx')
  async download(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const file = await this.files.of(request);
    const tag = tagOf(file);
    const headers = {
      ...fileHeaders(tag),
      'accept-ranges': 'bytes',
      // With a 304, too: a copy goes by the name that the file has now.
      'content-disposition': contentDisposition(file.name, isShownInPlace(file.type)),
    };
    checkTag(request, tag);
    if (isFresh(request, tag)) {
      await reply.status(304).headers(headers).send();
      return;
    }
    const ranges = rangesOf(request, file, tag);
    const isHead = request.method === 'HEAD';
    if (isHead) await this.files.mustBeThere(file);
    else this.downloads.enter(request, reply);
    const { bytes, ...content } = isHead ? { ...wholeOf(file), bytes: '' } : await this.contentOf(file, ranges);
    await reply
      .status(ranges ? 206 : 200)
      .headers({ ...headers, ...content })
      .send(bytes);
  }

  private async contentOf(file: AttachedFile, ranges: readonly ByteRange[] | undefined) {
    const [range, ...others] = ranges ?? [];
    if (!range) return { ...wholeOf(file), bytes: await this.files.read(file) };
    const type = contentType(file.type);
    if (others.length > 0) {
      const read = (one: ByteRange): Promise<Readable> => this.files.read(file, one);
      const { length, bytes, ...parts } = severalRanges({ type, size: file.size, read }, ranges!);
      return { 'content-type': parts.type, 'content-length': String(length), bytes };
    }
    return {
      'content-type': type,
      'content-length': String(range.last - range.first + 1),
      'content-range': `bytes ${range.first}-${range.last}/${file.size}`,
      bytes: await this.files.read(file, range),
    };
  }
}

/** The bytes below a key never change. */
const tagOf = ({ id, key, content }: AttachedFile): string => (content ? `"${id}"` : `"${key}"`);

/** Only GET has ranges. `If-Range` asks for all of it where it is another file by now. */
function rangesOf({ headers, method }: ApiRequest, { size }: AttachedFile, tag: string): ByteRange[] | undefined {
  const condition = headers['if-range'];
  const isMeant = condition === undefined || String(condition).trim() === tag;
  return isMeant && method === 'GET' ? parseRanges(headers.range, size) : undefined;
}

const wholeOf = ({ type, size }: AttachedFile) => ({
  'content-type': contentType(type),
  'content-length': String(size),
});
