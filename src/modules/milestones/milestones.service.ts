/** Rules of milestones. */
import { Injectable } from '@nestjs/common';
import { GeneralsService } from '../generals/generals.service.js';

@Injectable()
export class MilestonesService extends GeneralsService {}
