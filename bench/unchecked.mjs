/** Loaded into a second service: everybody is the administrator there, unasked, so that the check of callers can be measured. */
import 'reflect-metadata';
import { GuardsConsumer } from '@nestjs/core/guards/guards-consumer.js';

const administrator = Object.freeze({
  userId: 1,
  isAdministrator: true,
  isObserver: false,
  isReadOnly: false,
  projectIds: [],
  teamIds: [],
});

const anybody = (context) => {
  context.switchToHttp().getRequest().actor = administrator;
  return true;
};

/** The guard is part of the built service, where it is found at the first request that asks it. */
const { tryActivate } = GuardsConsumer.prototype;

GuardsConsumer.prototype.tryActivate = function (guards, ...rest) {
  const guard = guards.find((one) => one.constructor.name === 'AuthenticationGuard');
  if (guard) {
    guard.canActivate = anybody;
    GuardsConsumer.prototype.tryActivate = tryActivate;
  }
  return tryActivate.call(this, guards, ...rest);
};
