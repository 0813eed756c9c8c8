/** Marks a handler that reads although its method is one that writes: whoever may read may call it, from wherever. */
import { SetMetadata } from '@nestjs/common';

export const ReadsOnly = (): MethodDecorator => SetMetadata(READS_ONLY, true);

/** Key of the mark. */
export const READS_ONLY = 'worktrack:reads-only';
