/** Rules of comments: who wrote it and when; the entity remembers the last one. */
import { Injectable } from '@nestjs/common';
import {
  type Change,
  current,
  currentValue,
  nothingRecorded,
  type Removal,
  referenced,
  refuse,
  type Work,
} from '../../command/change.js';
import { onlyAdministrators } from '../../errors.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class CommentsService extends ResourceService {
  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    for (const change of changes) {
      const { values, now } = change;
      keepOwnName(change);
      if (change.isNew) {
        values.createDate = now;
      } else {
        if (Object.keys(values).length > 0) mustBeOwn(change.before!.owner_id, change);
        if (values.description !== undefined) values.descriptionModifyDate = now;
      }
    }
    await checkParents(changes, work);
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    const commented = changes.filter(({ isNew, values }) => isNew || 'general' in values || 'owner' in values);
    leaveReplies(commented, work);
    await refuseCircles(changes, work);
    const items = commented.flatMap((change) => [current(change, 'general'), change.before?.general_id as number]);
    rememberLast(items, work);
  }

  override async beforeDelete(removals: readonly Removal[], { actor }: Work): Promise<void> {
    for (const { before } of removals) {
      if (!actor.isAdministrator && before.owner_id !== actor.userId)
        throw onlyAdministrators('change what others wrote');
    }
  }

  /** Replies to what is gone stay, as comments of their own. */
  override async afterDelete(removals: readonly Removal[], work: Work): Promise<void> {
    work.send('update comment set parent_id = null where parent_id = any($1::bigint[])', [
      removals.map(({ id }) => id),
    ]);
    rememberLast(
      removals.map(({ before }) => before.general_id as number),
      work,
    );
  }
}

/** Only administrators speak for others. */
function keepOwnName(change: Change): void {
  const { values, actor, isNew } = change;
  const names = values.owner !== undefined && values.owner !== null;
  if (!actor.isAdministrator && names && referenced(change, 'owner') !== actor.userId)
    throw onlyAdministrators('name another Owner of a comment');
  if (isNew && !names && !(actor.isAdministrator && values.owner === null)) values.owner = { id: actor.userId };
}

function mustBeOwn(owner: unknown, { actor }: Change): void {
  if (actor.isAdministrator || owner === actor.userId) return;
  throw onlyAdministrators('change what others wrote');
}

/** A reply belongs to the entity of what it replies to; one that moves without that becomes a comment of its own. */
async function checkParents(changes: readonly Change[], { rows }: Work): Promise<void> {
  const replies = changes.filter((change) => {
    return typeof currentValue(change, 'parentId') === 'number' && ('parentId' in change.values || isMoved(change));
  });
  if (replies.length === 0) return;
  const comments = await rows<{ id: number; general: number }>(
    'select id, general_id as general from comment where id = any($1::bigint[])',
    [replies.map((change) => currentValue(change, 'parentId'))],
  );
  for (const change of replies) {
    const parent = currentValue<number>(change, 'parentId')!;
    const along = changes.find(({ id }) => id === parent);
    const general = along ? current(along, 'general') : comments.find(({ id }) => id === parent)?.general;
    if (parent !== change.id && general === current(change, 'general')) continue;
    if (!change.command.scalars.some(({ field }) => field.property === 'parentId')) change.values.parentId = null;
    else throw refuse(change, 'ParentId', `there is no comment ${parent} of this entity to reply to.`);
  }
}

const isMoved = ({ isNew, values }: Change): boolean => !isNew && 'general' in values;

/** What is new is nobody's reply yet. */
async function refuseCircles(changes: readonly Change[], { rows }: Work): Promise<void> {
  const replies = changes.filter(({ isNew, values }) => !isNew && typeof values.parentId === 'number');
  if (replies.length === 0) return;
  const circles = await rows<{ id: number }>(
    `with recursive up as (
       select id as start, parent_id from comment where id = any($1::bigint[])
       union select up.start, c.parent_id from up join comment c on c.id = up.parent_id)
     select start as id from up where parent_id = start`,
    [replies.map(({ id }) => id)],
  );
  const change = replies.find(({ id }) => circles.some((circle) => circle.id === id));
  if (change) throw refuse(change, 'ParentId', 'this comment would reply to one of its own replies.');
}

/** Replies to what went to another entity stay, as comments of their own. */
function leaveReplies(changes: readonly Change[], work: Work): void {
  const moved = changes.filter(isMoved);
  if (moved.length === 0) return;
  work.send(
    `update comment r set parent_id = null from comment c
     where c.id = any($1::bigint[]) and r.parent_id = c.id and r.general_id <> c.general_id`,
    [moved.map(({ id }) => id)],
  );
}

function rememberLast(items: readonly (number | undefined)[], work: Work): void {
  const ids = [...new Set(items.filter((id) => typeof id === 'number'))].sort((a, b) => a - b);
  if (ids.length === 0) return;
  work.send(
    `update general g set last_comment_date = c.date, last_commented_user_id = c.person
     from unnest($1::bigint[]) as u(id) left join lateral (select create_date as date, owner_id as person from comment
       where general_id = u.id order by create_date desc, id desc limit 1) c on true
     where g.id = u.id and (g.last_comment_date, g.last_commented_user_id) is distinct from (c.date, c.person)
       and ${nothingRecorded('general', work)}`,
    [ids],
  );
}
