import { StartError } from '../start-failure.js';

/** Why an archive cannot be made or restored, in one line for whoever does it. */
export class ArchiveError extends StartError {}

export const damaged = (why: string): ArchiveError =>
  new ArchiveError(`The archive is damaged: ${why}. Nothing was restored.`);

export const otherFile = (): ArchiveError =>
  new ArchiveError('The file is no archive of "worktrack backup". Nothing was restored.');
