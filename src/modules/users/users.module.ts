/** The family of users. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { resourceController } from '../../http/resource.controller.js';
import { AvatarController } from './avatar.controller.js';
import { Avatars } from './avatars.js';
import { GeneralUser } from './general-user.entity.js';
import { LoggedUserController } from './logged-user.controller.js';
import { OwnPasswordController } from './own-password.controller.js';
import { Requester } from './requester.entity.js';
import { Role } from './role.entity.js';
import { RoleEntityType } from './role-entity-type.entity.js';
import { RolesService } from './roles.service.js';
import { User } from './user.entity.js';
import { UsersService } from './users.service.js';
import './system-user.entity.js';

@Module({
  imports: [AuthModule],
  controllers: [
    AvatarController,
    LoggedUserController,
    OwnPasswordController,
    resourceController(RolesService, Role, RoleEntityType),
    resourceController(UsersService, GeneralUser, Requester, User),
  ],
  providers: [Avatars, RolesService, UsersService],
})
export class UsersModule {}
