#!/usr/bin/env node
/** `worktrack`: the service and its chores from the command line. */
import 'reflect-metadata';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { type Command, CommanderError } from 'commander';
import { endProcess, endWhereFilesHang } from '../server/end-process.js';
import { complainOf } from '../server/standard-error.js';
import { commandFailure } from '../server/start-failure.js';
import { CommandError, exitCodes } from './command-error.js';
import { endWhenNobodyReads, warn } from './output.js';
import { program } from './program.js';

const root = program(process.env);
throwOnExit(root);
endWhenNobodyReads();
process.on('uncaughtException', endAtOnce);
// The service itself, which is one of the commands, tells where it failed.
let isService = false;
root.hook('preAction', (_root, command) => {
  isService = command.name() === 'serve';
  if (isService) process.off('uncaughtException', endAtOnce);
});
try {
  if (process.argv.some((one) => one.includes('\ufffd')) && !isUtf8(argumentBytes()))
    throw new CommandError(
      'An argument is not UTF-8, or holds U+FFFD, which would take the place of what is not.',
      exitCodes.usage,
    );
  if (process.argv.length > 2) await root.parseAsync();
  else root.outputHelp();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  tellFailure(error);
}
if (!isService) await endWhereFilesHang();

/** What is not UTF-8 can be told from U+FFFD by the bytes alone, which Linux shows. */
function argumentBytes(): Buffer {
  try {
    return readFileSync('/proc/self/cmdline');
  } catch {
    return Buffer.of(0xff);
  }
}

/** The parser has written its own line; what the service refuses is in the client's words, which hold no secret. */
function tellFailure(error: unknown): void {
  if (error instanceof CommandError) warn(`worktrack: ${error.message}`);
  else if (!(error instanceof CommanderError)) complainOf(error, commandFailure);
}

function endAtOnce(error: unknown): void {
  tellFailure(error);
  void endProcess(exitCodes.failed);
}

function throwOnExit(command: Command): void {
  command.exitOverride();
  for (const each of command.commands) throwOnExit(each);
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (!(error instanceof CommanderError)) return exitCodes.failed;
  return error.exitCode === 0 ? exitCodes.done : exitCodes.usage;
}
