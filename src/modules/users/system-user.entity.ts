import { ChildEntity } from 'typeorm';
import { GeneralUser } from './general-user.entity.js';

/** The service itself, as the author of what no person did. Listed among GeneralUsers, not a resource of its own. */
@ChildEntity('SystemUser')
export class SystemUser extends GeneralUser {}
