/** Marks a controller whose addresses have parameters of their own: nothing is parsed, linked or spelled for it. */
import { SetMetadata, type Type } from '@nestjs/common';

export const OwnQuery = (): ClassDecorator => SetMetadata(key, true);

/** Asked at each request, and looking metadata up costs more than what follows. */
export function hasOwnQuery(controller: Type): boolean {
  const cached = byController.get(controller);
  if (cached !== undefined) return cached;
  const has = Reflect.getMetadata(key, controller) === true;
  byController.set(controller, has);
  return has;
}

const key = 'worktrack:own-query';
const byController = new WeakMap<Type, boolean>();
