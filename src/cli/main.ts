#!/usr/bin/env node
/** `worktrack`: the service and its chores from the command line. */
import 'reflect-metadata';
import { type Command, CommanderError } from 'commander';
import { complain } from '../standard-error.js';
import { startFailure } from '../start-failure.js';
import { CommandError, exitCodes } from './command-error.js';
import { warn } from './output.js';
import { program } from './program.js';

const root = program(process.env);
throwOnExit(root);
try {
  if (process.argv.length > 2) await root.parseAsync();
  else root.outputHelp();
} catch (error) {
  process.exitCode = exitCodeOf(error);
  tellFailure(error);
}

/** The parser has written its own line; what the service refuses is in the client's words, which hold no secret. */
function tellFailure(error: unknown): void {
  if (error instanceof CommandError) warn(`worktrack: ${error.message}`);
  else if (!(error instanceof CommanderError)) complain(startFailure(error).split('\n')[0]!);
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
