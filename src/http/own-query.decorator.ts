/** Marks a controller whose addresses have parameters of their own: nothing is parsed, linked or spelled for it. */
import { SetMetadata, type Type } from '@nestjs/common';

export const OwnQuery = (): ClassDecorator => SetMetadata(key, true);

export const hasOwnQuery = (controller: Type): boolean => Reflect.getMetadata(key, controller) === true;

const key = 'worktrack:own-query';
