/** `GET /AttachmentThumbnail.aspx?AttachmentID=&width=&height=`: a small picture of an attached one. */
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiError, badRequest } from '../../errors.js';
import { addressValue } from '../../files/address-value.js';
import { Downloads } from '../../files/downloads.js';
import { isShownInPlace } from '../../files/file-type.js';
import { PictureError } from '../../files/picture-error.js';
import { type Frame, Pictures, pictureLimits } from '../../files/pictures.js';
import { isFresh } from '../../http/preconditions.js';
import type { ApiRequest } from '../../http/request.js';
import { type AttachedFile, AttachmentFiles } from './attachment-files.js';
import { fileHeaders } from './file-headers.js';

const usualSide = 100;
const longestSide = 1000;

@Controller()
export class ThumbnailController {
  constructor(
    private readonly files: AttachmentFiles,
    private readonly pictures: Pictures,
    private readonly downloads: Downloads,
  ) {}

  @Get('AttachmentThumbnail.aspx')
  async thumbnail(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const frame: Frame = { width: side(request, 'width'), height: side(request, 'height'), fit: 'inside' };
    const file = await this.files.of(request);
    if (!isShownInPlace(file.type) || file.size > pictureLimits.bytes) throw noThumbnail(file);
    const tag = `"${file.key}-${file.id}-${frame.width}x${frame.height}"`;
    if (isFresh(request, tag)) {
      await reply.status(304).headers(fileHeaders(tag)).send();
      return;
    }
    this.downloads.enter(request, reply);
    const picture = await this.pictures
      .shared(request.actor.userId, tag, frame, (signal) => this.files.whole(file, signal))
      .catch((error: unknown) => {
        throw error instanceof PictureError ? noThumbnail(file) : error;
      });
    const headers = { ...fileHeaders(tag), 'content-type': picture.type, 'content-disposition': 'inline' };
    await reply.headers(headers).send(picture.bytes);
  }
}

/** Errors: 400. */
function side(request: ApiRequest, name: string): number {
  const text = addressValue(request, name);
  if (text === '') return usualSide;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= longestSide) return value;
  throw badRequest(`Parameter '${name}' is a whole number from 1 to ${longestSide}.`, 'InvalidParameter');
}

const noThumbnail = ({ id }: AttachedFile): ApiError =>
  new ApiError(
    'NotFound',
    `Attachment ${id} has no thumbnail: it is no picture in PNG, JPEG, GIF or WebP, is damaged, or is too large (${pictureLimits.pixels / 1e6} megapixels).`,
  );
