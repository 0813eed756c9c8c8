/** Tags have no rules of their own yet. */
import { Injectable } from '@nestjs/common';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class TagsService extends ResourceService {}
