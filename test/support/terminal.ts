/** A command on a terminal: python3 has what Node lacks to make one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from './service.js';

export const hasTerminals = spawnSync('python3', ['-c', 'import pty, termios']).status === 0;

/** Passes on what is typed and shown; at the end, tells the exit code and whether the terminal is as it was before. */
const relay = `
import fcntl, json, os, pty, select, struct, subprocess, sys, termios
master, slave = pty.openpty()
def lead():
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
if 'COLUMNS' in os.environ:
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(os.environ['COLUMNS']), 0, 0))
before = termios.tcgetattr(slave)
child = subprocess.Popen(sys.argv[1:], stdin=slave, stdout=slave, stderr=slave, preexec_fn=lead)
sources = [master, 0]
while True:
    over = child.poll() is not None
    ready = select.select(sources, [], [], 0 if over else 0.05)[0]
    if 0 in ready:
        typed = os.read(0, 4096)
        os.write(master, typed) if typed else sources.remove(0)
    if master in ready:
        os.write(1, os.read(master, 4096))
    elif over:
        break
sys.stderr.write(json.dumps({'code': child.returncode, 'isRestored': before == termios.tcgetattr(slave)}))
`;

const script = join(dirname(fileURLToPath(import.meta.url)), '../../dist/cli/main.js');

export interface TerminalOutcome {
  readonly code: number;
  readonly isRestored: boolean;
}

/** As wide as `COLUMNS` says; without it nobody knows how wide. */
export class Terminal {
  shown = '';
  readonly ended: Promise<TerminalOutcome>;
  private readonly child: ChildProcess;

  constructor(env: Record<string, string>, args: readonly string[]) {
    const { PATH, HOME } = process.env;
    this.child = spawn('python3', ['-c', relay, process.execPath, script, ...args], {
      env: { PATH, HOME, TERM: 'xterm', ...env },
    });
    let report = '';
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.shown += text;
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      report += text;
    });
    this.ended = new Promise((resolve) => this.child.once('close', () => resolve(JSON.parse(report))));
  }

  type(keys: string): void {
    this.child.stdin!.write(keys);
  }

  shows(text: string): Promise<true> {
    return until(() => this.shown.includes(text), 60) as Promise<true>;
  }

  /** What is left on each line where a line is drawn again. */
  get lines(): string[] {
    return this.shown.split('\n').map((line) => line.replace(/\r$/, '').split('\r\u001b[K').at(-1)!);
  }
}
