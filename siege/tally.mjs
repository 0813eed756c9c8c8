/** Counts what the fleet sent and how it was answered: statuses, or the code of the error. */
export class Tally {
  sent = 0;
  answers = {};

  count(answer) {
    this.answers[answer] = (this.answers[answer] ?? 0) + 1;
  }

  add({ sent, answers }) {
    this.sent += sent;
    for (const [answer, count] of Object.entries(answers)) this.answers[answer] = (this.answers[answer] ?? 0) + count;
  }
}

/** Calls `count` with each status in a stream of answers, however the stream is cut. */
export function statusReader(count) {
  let rest = '';
  return (chunk) => {
    rest += chunk.toString('latin1');
    let end = 0;
    for (const match of rest.matchAll(/HTTP\/1\.1 (\d{3}) /g)) {
      count(match[1]);
      end = match.index + match[0].length;
    }
    rest = rest.slice(Math.max(end, rest.length - 'HTTP/1.1 200'.length));
  };
}
