/** The commands that speak to a service as its client. */
import type { Command } from 'commander';

const json = ['--json', 'writes JSON, as it does where standard output is no terminal'] as const;
const host = ['--host <url>', 'another service than that of the last login'] as const;

export function addClient(root: Command, env: NodeJS.ProcessEnv): void {
  addLogin(root, env);
  addReading(root, env);
  addWriting(root, env);
  root
    .command('open <id>')
    .description('shows an item in the browser, or prints its address')
    .option(...host)
    .action(async (id, options) => (await import('./open.js')).openItem(env, id, options));
  root
    .command('mcp')
    .description('gives the tools of the service to an agent on standard input and output')
    .option(...host)
    .action(async (options) => (await import('./mcp.js')).serveAgent(env, options));
}

function addLogin(root: Command, env: NodeJS.ProcessEnv): void {
  root
    .command('login <url>')
    .description('makes a token for this machine, and keeps it; login and password are asked for')
    .option('--login <login>', 'who logs in')
    .option('--with-token', 'asks for a token that there is already')
    .option('--read-only', 'makes a token that may only read')
    .action(async (url, options) => (await import('./login.js')).logIn(env, url, options));
  root
    .command('logout [url]')
    .description('ends the token that login made, and forgets it')
    .action(async (url) => (await import('./login.js')).logOut(env, url));
}

function addReading(root: Command, env: NodeJS.ProcessEnv): void {
  const run = () => import('./items.js');
  root
    .command('query <text>')
    .description('asks the API: UserStories?where=…, or /api/v2/…')
    .option(...json)
    .option(...host)
    .action(async (text, options) => (await run()).query(env, text, options));
  root
    .command('search <words...>')
    .description('finds items by words')
    .option('--kind <kinds>', 'of these kinds, such as UserStory,Bug')
    .option('--take <count>', 'how many', '25')
    .option(...json)
    .option(...host)
    .action(async (words, options) => (await run()).search(env, words, options));
  root
    .command('get <id>')
    .description('shows an item')
    .option('--kind <kind>', 'of what is no item, such as User')
    .option(...json)
    .option(...host)
    .action(async (id, options) => (await run()).get(env, id, options));
}

function addWriting(root: Command, env: NodeJS.ProcessEnv): void {
  const run = () => import('./items.js');
  root
    .command('move <id> <state>')
    .description('moves an item to the state of that name')
    .option(...json)
    .option(...host)
    .action(async (id, state, options) => (await run()).move(env, id, state, options));
  root
    .command('log <id> <duration> [text]')
    .description('logs time, such as 2h, 30m or 1h30m')
    .option('--date <date>', 'such as 2027-01-31; today when not given')
    .option('--remain <duration>', 'what remains to be done in your role; nothing when not given')
    .option(...json)
    .option(...host)
    .action(async (id, duration, text, options) => (await run()).log(env, id, duration, { ...options, text }));
  root
    .command('comment <id> [text]')
    .description('adds a comment, from standard input where there is no text')
    .option(...json)
    .option(...host)
    .action(async (id, text, options) => (await run()).comment(env, id, text, options));
}
