/** Loaded into a second service: everybody is the administrator there, unasked, so that the check of callers can be measured. */
import 'reflect-metadata';
import { AuthenticationGuard } from '../dist/auth/authentication.guard.js';

const administrator = Object.freeze({
  userId: 1,
  isAdministrator: true,
  isObserver: false,
  isReadOnly: false,
  projectIds: [],
  teamIds: [],
});

AuthenticationGuard.prototype.canActivate = (context) => {
  context.switchToHttp().getRequest().actor = administrator;
  return true;
};
