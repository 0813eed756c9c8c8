import 'reflect-metadata';
import { expect, it } from 'vitest';
import { buildModel } from '../model/build-model.js';
import { resourceEntities } from '../modules/entities.js';
import { canonicalPath } from './canonical-path.js';

const model = buildModel(resourceEntities);

it.each([
  ['/api/v1/UserStories', '/api/v1/UserStories'],
  ['/api/v1/userstories/', '/api/v1/UserStories'],
  ['/api/v1/UserStorys?format=json', '/api/v1/UserStories?format=json'],
  ['/api/v1/userstory/7', '/api/v1/UserStories/7'],
  ['/API/V1/entitystate/120', '/api/v1/EntityStates/120'],
  ['/api/v1/Processes/3/entitystates', '/api/v1/Processes/3/entitystates'],
  ['/api/v1/priority', '/api/v1/Priorities'],
  ['/api/v1/Assignables.asmx?take=1', '/api/v1/Assignables?take=1'],
  ['/api/v1/userStories.asmx/', '/api/v1/UserStories'],
  ['/api/v1/context.ASMX/?ids=1', '/api/v1/context?ids=1'],
  ['/api/v1/.asmx', '/api/v1/.asmx'],
  ['//api//v1/Projects//meta', '/api/v1/Projects/meta'],
  ['/api/v1/%55serStories', '/api/v1/UserStories'],
  ['/api/v1/UserStories?where=a//b', '/api/v1/UserStories?where=a//b'],
  ['/api/v1/Time/', '/api/v1/Times'],
  ['//Attachment.aspx?AttachmentID=7', '/Attachment.aspx?AttachmentID=7'],
  ['///avatar.ashx//', '/avatar.ashx'],
  // What is no collection is left for the router to refuse.
  ['/api/v1/foobars/', '/api/v1/foobars'],
  ['/api/v1/__proto__', '/api/v1/__proto__'],
  ['/api/v1/%zz', '/api/v1/%zz'],
  ['/health/live', '/health/live'],
  ['/', '/'],
])('%s', (url, expected) => expect(canonicalPath(url, model)).toBe(expected));
