/** Marks a controller whose addresses have parameters of their own: nothing is parsed, linked or spelled for it. */
import { SetMetadata, type Type } from '@nestjs/common';

export const OwnQuery = (): ClassDecorator => SetMetadata(key, true);

/** Asked at each request, and looking metadata up costs more than what follows. */
export function hasOwnQuery(controller: Type): boolean {
  const known = found.get(controller);
  if (known !== undefined) return known;
  const has = Reflect.getMetadata(key, controller) === true;
  found.set(controller, has);
  return has;
}

const key = 'worktrack:own-query';
const found = new WeakMap<Type, boolean>();
