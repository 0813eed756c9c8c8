import { expect, it } from 'vitest';
import { addressesOf } from './database-addresses.js';

it.each([
  [undefined, []],
  ['postgres://u:p@a/d', ['postgres://u:p@a/d']],
  ['postgres://a,b/d', ['postgres://a/d', 'postgres://b/d']],
  [
    'postgres://u:p@a:1,b:2,c/d?x=1,2',
    ['postgres://u:p@a:1/d?x=1,2', 'postgres://u:p@b:2/d?x=1,2', 'postgres://u:p@c/d?x=1,2'],
  ],
  ['postgres://u:p%40,@[::1]:5432,[::2]/d', ['postgres://u:p%40,@[::1]:5432/d', 'postgres://u:p%40,@[::2]/d']],
  ['postgres://u:p,q@a/d', ['postgres://u:p,q@a/d']],
  ['postgres://u:p@q,r@a/d', ['postgres://u:p@q,r@a/d']],
  ['postgres://u:p@q,r@a,b/d?x=@', ['postgres://u:p@q,r@a/d?x=@', 'postgres://u:p@q,r@b/d?x=@']],
])('%s', (url, expected) => expect(addressesOf(url)).toEqual(expected));
