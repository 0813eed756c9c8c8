/** Fills the choice of a role. */
import { call } from './calls.js';
import { element } from './dom.js';
import { selectOf } from './forms.js';

/** @param {HTMLFormElement} form @param {boolean} isNew */
export async function offerRoles(form, isNew) {
  const { Items } = await call('/api/v1/Roles?include=[Name]&take=1000');
  const options = Items.map((/** @type {{ Id: number, Name: string }} */ { Id, Name }) =>
    element('option', { value: Id }, Name),
  );
  // Whoever is created without one gets the first.
  selectOf(form, 'Role').replaceChildren(element('option', { value: '' }, isNew ? 'default' : 'none'), ...options);
}

/** A role is referred to by its id. @param {Record<string, unknown>} values */
export const withRole = ({ Role, ...values }) =>
  Role === undefined ? values : { ...values, Role: Role === null ? null : { Id: Number(Role) } };
