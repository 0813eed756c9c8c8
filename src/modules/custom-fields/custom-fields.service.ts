/** Rules of custom-field definitions: what is compiled from them is out of date once they change. */
import { Injectable } from '@nestjs/common';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class CustomFieldsService extends ResourceService {}
