/** Marks a handler or controller that answers without a caller; everything else is authenticated. */
import { SetMetadata } from '@nestjs/common';

export const Public = (): ClassDecorator & MethodDecorator => SetMetadata(IS_PUBLIC, true);

/** Key of the mark. */
export const IS_PUBLIC = 'worktrack:public';
