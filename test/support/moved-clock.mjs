/**
 * Loaded before a service (`NODE_OPTIONS=--import`): its clock differs by the milliseconds in the file CLOCK_FILE, and
 * goes on from others behind SIGUSR2.
 */
import { readFileSync } from 'node:fs';

const ActualDate = Date;
let offset = 0;
const read = () => {
  offset = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'));
};
const now = () => ActualDate.now() + offset;

read();
process.on('SIGUSR2', read);

globalThis.Date = new Proxy(ActualDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length > 0 ? args : [now()], newTarget),
  apply: () => new ActualDate(now()).toString(),
  get: (target, key, receiver) => (key === 'now' ? now : Reflect.get(target, key, receiver)),
});
