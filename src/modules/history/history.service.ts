/** Histories are written by the database and only read here. */
import { Injectable } from '@nestjs/common';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class HistoryService extends ResourceService {}
