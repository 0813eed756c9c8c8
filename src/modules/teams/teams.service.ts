/** Rules of teams and their members. */
import { Injectable } from '@nestjs/common';
import { GeneralsService } from '../generals/generals.service.js';

@Injectable()
export class TeamsService extends GeneralsService {}
