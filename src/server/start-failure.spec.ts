/** What ends a start or a command is one line wherever somebody has thought of it, and in a command always. */
import { expect, it } from 'vitest';
import { migrationFailed } from '../database/migration-error.js';
import { badMember } from '../errors.js';
import {
  commandFailure,
  embeddedRefused,
  refusedByServer,
  StartError,
  startFailure,
  UndoneError,
} from './start-failure.js';

const failed = (message: string, code?: string): Error => Object.assign(new Error(message), { code });

const cutOff = [
  failed('Connection terminated unexpectedly'),
  failed('Client has encountered a connection error and is not queryable'),
  failed('Client was closed and is not queryable'),
  failed('read ECONNRESET', 'ECONNRESET'),
  failed('write EPIPE', 'EPIPE'),
];

it.each<[Error, string]>([
  [new StartError('It is so.'), 'It is so.'],
  [badMember('Password', 'must not be empty.'), 'Password: must not be empty.'],
  [
    Object.assign(failed('listen EADDRINUSE', 'EADDRINUSE'), { port: 3000 }),
    'The port 3000 is in use already; set PORT to another one.',
  ],
  ...['ENOENT', 'EACCES'].map((code): [Error, string] => [
    Object.assign(failed(`connect ${code} /run/.s.PGSQL.5432`, code), { syscall: 'connect' }),
    `The database of DATABASE_URL cannot be used: connect ${code} /run/.s.PGSQL.5432.`,
  ]),
  [failed('no such login', '28P01'), 'The database of DATABASE_URL cannot be used: no such login.'],
  ...[
    failed('cannot execute CREATE TABLE in a read-only transaction', '25006'),
    migrationFailed('Any1', failed('cannot execute CREATE TABLE in a read-only transaction', '25006')),
    Object.assign(failed('cannot execute'), { driverError: failed('cannot execute', '25006') }),
  ].map((error): [Error, string] => [
    error,
    'The database of DATABASE_URL takes no writes: it is a replica, or read-only. Set DATABASE_URL to the one that does.',
  ]),
  ...['53100', '53300', '55000', '58030', 'XX001'].map((code): [Error, string] => [
    failed('could not extend file', code),
    'The database of DATABASE_URL cannot be used: could not extend file.',
  ]),
  [
    failed('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT'),
    'The database of DATABASE_URL cannot be used: self-signed certificate.',
  ],
  [
    failed('error:0480006C:PEM routines::no start line', 'ERR_OSSL_PEM_NO_START_LINE'),
    'The database of DATABASE_URL cannot be used: error:0480006C:PEM routines::no start line.',
  ],
  [
    failed('The server does not support SSL connections'),
    'The database of DATABASE_URL cannot be used: The server does not support SSL connections.',
  ],
  ...[
    failed('SECURITY WARNING: Using sslmode=verify-ca requires a CA.'),
    failed('sslnegotiation=direct requires SSL to be enabled'),
    failed('Port should be >= 0 and < 65536', 'ERR_SOCKET_BAD_PORT'),
  ].map((error): [Error, string] => [
    error,
    `The database of DATABASE_URL cannot be used: ${error.message.replace(/\.$/, '')}.`,
  ]),
  ...cutOff.map((error): [Error, string] => [
    error,
    'The database of DATABASE_URL cannot be used: the connection was lost; its log may say why.',
  ]),
  ...[
    failed('terminating connection due to administrator command', '57P01'),
    failed('Connection terminated: no answer while connecting'),
    failed('timeout exceeded when trying to connect'),
  ].map((error): [Error, string] => [error, `The database of DATABASE_URL cannot be used: ${error.message}.`]),
  [
    new UndoneError('Nothing was restored.', failed('no such login', '28P01')),
    'The database of DATABASE_URL cannot be used: no such login. Nothing was restored.',
  ],
])('%s is told without its class and place', (error, line) => {
  expect(startFailure(error)).toBe(line);
  expect(commandFailure(error)).toBe(line);
});

it('tells the place of anything else where the service starts, and only the message where a command fails', () => {
  const error = new RangeError('The value of "size" is out of range.\nIt must be small.');
  expect(startFailure(error)).toBe(error.stack);
  expect(commandFailure(error)).toBe('The command failed: The value of "size" is out of range.');
  expect(commandFailure('odd')).toBe('The command failed: odd.');
});

it.each(['53100', '58030', 'XX001'])('what an embedded database refuses names its directory: %s', (code) => {
  expect(() => embeddedRefused('/srv/data')(failed('could not extend file', code))).toThrow(
    new StartError('The embedded database in DATA_DIR (/srv/data) cannot be used: could not extend file.'),
  );
});

it.each(cutOff)('an embedded database that ended the connection names its directory: %s', (error) => {
  const line =
    'The embedded database in DATA_DIR (/srv/data) cannot be used: the connection was lost; postgres.log there may say why.';
  expect(() => embeddedRefused('/srv/data')(error)).toThrow(new StartError(line));
  const undone = new UndoneError('Nothing was restored.', error);
  expect(() => embeddedRefused('/srv/data')(undone)).toThrow(new StartError(`${line} Nothing was restored.`));
});

it('why an embedded database broke takes the place of what followed from that', () => {
  const broken = new StartError('It ended by itself.');
  const refused = embeddedRefused('/srv/data', () => broken);
  expect(() => refused(cutOff[0])).toThrow(broken);
  const undone = new UndoneError('Nothing was restored.', cutOff[0]);
  expect(() => refused(undone)).toThrow(new UndoneError('Nothing was restored.', broken));
});

it.each<[unknown, string]>([
  [undefined, 'DATABASE_URL'],
  ['postgres://other', 'MIGRATE_DATABASE_URL'],
])('what a restore was refused names the variable that led to it: MIGRATE_DATABASE_URL=%s', (url, variable) => {
  const refused = refusedByServer({ migrateDatabaseUrl: url as string | undefined });
  const line = `The database of ${variable} cannot be used: no such login. Nothing was restored.`;
  let failure: unknown;
  try {
    refused(new UndoneError('Nothing was restored.', failed('no such login', '28P01')));
  } catch (error) {
    failure = error;
  }
  expect(commandFailure(failure)).toBe(line);
});

it('anything else stays as it is where the database is embedded', () => {
  const error = badMember('Password', 'must not be empty.');
  expect(() => embeddedRefused('/srv/data')(error)).toThrow(error);
});
