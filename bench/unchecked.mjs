/**
 * Loaded into a second service: whoever sends the header `x-unchecked` is the administrator there, unasked, so that the
 * check of callers can be measured. One process answers both ways, since two of the same code differ by more than the
 * check takes.
 */
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

/** `check` is what the guard does. */
const orAnybody = (check) => (context) => {
  const request = context.switchToHttp().getRequest();
  if (request.headers['x-unchecked'] === undefined) return check(context);
  request.actor = administrator;
  return true;
};

/** The guard is part of the built service, where it is found at the first request that asks it. */
const { tryActivate } = GuardsConsumer.prototype;

GuardsConsumer.prototype.tryActivate = function (guards, ...rest) {
  const guard = guards.find((one) => one.constructor.name === 'AuthenticationGuard');
  if (guard) {
    guard.canActivate = orAnybody(guard.canActivate.bind(guard));
    GuardsConsumer.prototype.tryActivate = tryActivate;
  }
  return tryActivate.call(this, guards, ...rest);
};
