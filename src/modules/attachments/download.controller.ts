/** `GET /Attachment.aspx?AttachmentID=`: the bytes of a file, to whoever may see what it is attached to. */
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { DatabasePool } from '../../database/pool.js';
import { READ_POOL } from '../../database/pools.js';
import { missingParameter, notFound } from '../../errors.js';
import { type ApiRequest, rawQuery } from '../../http/request.js';
import { idOf } from '../../http/resource.service.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { AttachmentsService } from './attachments.service.js';

@Controller()
export class DownloadController {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    @Inject(READ_POOL) private readonly pool: DatabasePool,
    private readonly attachments: AttachmentsService,
  ) {}

  @Get('Attachment.aspx')
  async download(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const sent = attachmentId(request);
    if (sent === '') throw missingParameter('AttachmentID');
    const id = idOf(sent, (text) => notFound('Attachment', text));
    await this.attachments.mustExist(this.model.resource('Attachment'), id, request);
    const [file] = await this.pool.rowsFor<FileRow>(request.actor.userId, fileById, [id]);
    if (!file?.content) throw notFound('Attachment', id);
    await reply
      .header('content-type', typeOf(file.mime_type))
      .header('content-disposition', disposition(file.name))
      // Files come from anybody: none of them may act as a page of ours.
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(file.content);
  }
}

const fileById = 'select name, mime_type, content from attachment where id = $1';

interface FileRow {
  name: string;
  mime_type: string | null;
  content: Buffer | null;
}

function attachmentId(request: ApiRequest): string {
  for (const [name, value] of new URLSearchParams(rawQuery(request))) {
    if (name.toLowerCase() === 'attachmentid') return value;
  }
  return '';
}

const typeOf = (stored: string | null): string =>
  stored && /^[a-z0-9.+-]+\/[a-z0-9.+-]+$/i.test(stored) ? stored : 'application/octet-stream';

/** The name once in ASCII for old clients, once as it is. */
function disposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
  const exact = encodeURIComponent(name).replace(/['()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}
