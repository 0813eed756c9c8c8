/** How long the texts of version 2 take to be read and compiled, before anything is asked of the database. */
import 'reflect-metadata';
import { buildModel } from '../build/model/build-model.js';
import { resourceEntities } from '../build/modules/entities.js';
import { StatementCache } from '../build/query/compile/statement-cache.js';
import { compileQueryV2 } from '../build/query/v2/compile-query.js';
import { parseQueryV2 } from '../build/query/v2/query-v2.js';
import { jsonV2Representation } from '../build/representation/json-v2.js';
import { median } from './load.mjs';

const model = buildModel(resourceEntities);
const asking = {
  shape: 'member',
  json: jsonV2Representation({ dates: 'ms', utc: true }),
  model,
  catalogue: { groups: () => [] },
  statements: new StatementCache({ version: 1 }),
  isOne: false,
};

const compile = (resource, text) =>
  compileQueryV2(parseQueryV2(text, 65_536), { ...asking, resource: model.resource(resource) });

const nested =
  'select={id,name,features:features.select({id,name,stories:userstories.where(entityState.isFinal==false).select({id,name,tasks:tasks.count()})})}&take=25';
const typical =
  "where=(entityState.name=='Open' or effort>3) and project.id==7&select={id,name,effort,project:{project.id,project.name},state:entityState.name,tasks.count()}&orderBy=name&take=50";
const alternatives = (count) => `where=${Array.from({ length: count }, (_, at) => `id==${at}`).join(' or ')}`;

/** Milliseconds; the median of many, once the code is warm. */
function timeOf(resource, text, runs) {
  const once = () => {
    const began = performance.now();
    compile(resource, text);
    return performance.now() - began;
  };
  for (let run = 0; run < runs; run += 1) once();
  return median(Array.from({ length: runs }, once));
}

const pieces =
  'id name effort tasks feature project it . . . ( ( ) ) , = == != < > <= + - * / & && || ! ? : { } [ ] \'x\' "y" 1 2.5 1e3 null true and or not in is as select where count sum first distinct take IIF IFNONE Today DateTime Math Round Convert ToInt32 as<Bug> customvalues ["Risk"] é 😀 \\ ; -- $1'.split(
    ' ',
  );

/**
 * Of texts of no sense, some of 200 pieces, the one that takes longest. Of three runs the shortest counts: collecting
 * garbage is not its fault.
 */
function slowestOfNonsense(texts) {
  let state = 4711;
  const dice = (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % sides;
  };
  let slowest = 0;
  for (let at = 0; at < texts; at += 1) {
    const words = Array.from({ length: 1 + dice(at % 10 === 0 ? 200 : 20) }, () => pieces[dice(pieces.length)]);
    const text = `${['where', 'select', 'result', 'orderBy'][dice(4)]}=${encodeURIComponent(words.join(dice(2) ? ' ' : ''))}`;
    slowest = Math.max(slowest, Math.min(...Array.from({ length: 3 }, () => tried(text))));
  }
  return slowest;
}

function tried(text) {
  const began = performance.now();
  try {
    compile('UserStory', text);
  } catch (error) {
    if (error.httpStatus !== 400) throw error;
  }
  return performance.now() - began;
}

/** Each compiled so many times, and so many texts of no sense. */
export function timesOfExpressions(runs = 2000) {
  const [short, long] = [12, 96].map((count) => timeOf('UserStory', alternatives(count), runs));
  return [
    {
      what: 'three levels of version 2, read and compiled',
      value: timeOf('Epic', nested, runs),
      unit: 'ms',
      most: 0.2,
    },
    {
      what: 'a typical query of version 2, read and compiled',
      value: timeOf('UserStory', typical, runs),
      unit: 'ms',
      most: 0.2,
    },
    { what: 'eight times the text, in times', value: long / short, unit: '×', most: 9 },
    { what: `the slowest of ${runs} texts of no sense`, value: slowestOfNonsense(runs), unit: 'ms', most: 50 },
  ];
}
