/** The list of `include` as a tree of fields to tick, each branch made when it is opened. */
import { button, element, freshId } from './dom.js';
import { choose, itemNamed, parseInclude, spellInclude } from './include-text.js';

/**
 * @typedef {import('./include-text.js').Item} Item
 * @typedef {import('./metadata.js').Field} Field
 * @typedef {import('./metadata.js').Metadata} Metadata
 * @typedef {import('./metadata.js').Resource} Resource
 * @typedef {{ names: string[], isInCollection: boolean }} Branch where in the tree, and whether a collection lies above
 */

const groups = /** @type {const} */ ([
  ['value', 'Values'],
  ['reference', 'References'],
  ['collection', 'Collections'],
]);

/**
 * @param {HTMLElement} place
 * @param {Metadata} metadata
 * @param {(text: string) => void} changed
 */
export function includeEditor(place, metadata, changed) {
  /** @type {Item[]} */
  let items = [];
  let isWellFormed = true;
  /** Ticks on the page, to be set anew when the list was changed elsewhere. @type {(() => void)[]} */
  let ticks = [];

  /** @param {readonly string[]} names */
  const chosenAt = (names) => {
    /** @type {readonly Item[] | undefined} */
    let level = items;
    for (const name of names.slice(0, -1)) level = itemNamed(level, name)?.inner;
    return itemNamed(level, names.at(-1) ?? '');
  };

  /** @param {readonly string[]} names @param {boolean} isChosen */
  function tick(names, isChosen) {
    items = choose(items, names, isChosen);
    for (const refresh of ticks) refresh();
    changed(spellInclude(items));
  }

  /** @param {readonly Field[]} fields @param {Branch} branch */
  function branchOf(fields, branch) {
    const made = element('div', { class: 'branch' });
    for (const [kind, words] of groups) {
      const matching = fields.filter((field) => field.kind === kind && !field.isDeprecated);
      if (matching.length === 0) continue;
      const id = freshId('fields');
      const list = element(
        'ul',
        { 'aria-labelledby': id, class: 'fields' },
        ...matching.map((field) => fieldOf(field, branch)),
      );
      made.append(element('p', { id, class: 'group' }, words), list);
    }
    return made;
  }

  /** @param {Field} field @param {Branch} branch */
  function fieldOf(field, { names, isInCollection }) {
    const path = [...names, field.name];
    const box = element('input', { type: 'checkbox' });
    // One request cannot include a collection inside a collection.
    const isRefused = isInCollection && field.kind === 'collection';
    box.disabled = isRefused;
    const refresh = () => {
      box.checked = chosenAt(path) !== undefined;
    };
    refresh();
    ticks.push(refresh);
    box.addEventListener('change', () => tick(path, box.checked));
    const label = element('label', { title: field.description || undefined }, box, ' ', field.name);
    const row = element('li', { 'data-name': field.name.toLowerCase() }, label);
    if (isRefused) {
      label.append(' ', element('span', { class: 'note' }, 'not inside a collection'));
    } else if (field.kind !== 'value' && field.type !== 'CustomFields') {
      row.append(opener(field, { names: path, isInCollection: isInCollection || field.kind === 'collection' }));
    }
    return row;
  }

  /** @param {Field} field @param {Branch} branch */
  function opener(field, branch) {
    const inner = element('div', { id: freshId('inner'), hidden: true });
    const toggle = button(field.type, () => void open(inner.hidden !== false), {
      class: 'opener',
      'aria-expanded': 'false',
      'aria-controls': inner.id,
      'aria-label': `Fields of ${field.name}, ${field.type}`,
    });
    /** @param {boolean} isOpen */
    async function open(isOpen) {
      inner.hidden = !isOpen;
      toggle.setAttribute('aria-expanded', String(isOpen));
      if (inner.childElementCount > 0 || !isOpen) return;
      const target = await metadata.resource(field.collection).catch(() => undefined);
      if (inner.childElementCount > 0) return;
      inner.append(
        target ? branchOf(target.fields, branch) : element('p', { class: 'note' }, 'Its fields are not known.'),
      );
    }
    // What is chosen inside is to be seen.
    if ((chosenAt(branch.names)?.inner?.length ?? 0) > 0) void open(true);
    const both = element('span', { class: 'opened' }, toggle, inner);
    return both;
  }

  return {
    /** @param {Resource | undefined} resource @param {string} text */
    show(resource, text) {
      const parsed = parseInclude(text);
      items = parsed ?? [];
      isWellFormed = parsed !== undefined;
      ticks = [];
      if (!resource || !parsed) {
        const words = resource
          ? 'The list in the address is not well formed; mend it there.'
          : 'Choose a collection first.';
        place.replaceChildren(element('p', { class: 'note' }, words));
        return;
      }
      const fields = resource.hasCustomFields ? [...resource.fields, customFields] : resource.fields;
      const tree = branchOf(fields, { names: [], isInCollection: false });
      place.replaceChildren(findField(tree), button('Default fields', clear, { class: 'small' }), tree);
    },
    /** Whether it shows this already. @param {string} text */
    says(text) {
      const parsed = parseInclude(text);
      return isWellFormed && parsed !== undefined && spellInclude(parsed) === spellInclude(items);
    },
  };

  function clear() {
    items = [];
    for (const refresh of ticks) refresh();
    changed('');
  }
}

/** @type {Field} */
const customFields = {
  name: 'CustomFields',
  kind: 'collection',
  type: 'CustomFields',
  collection: '',
  description: 'All of them',
  isDeprecated: false,
};

/** Narrows the first level of the tree as one types. @param {HTMLElement} tree */
function findField(tree) {
  const id = freshId('find');
  const field = element('input', { id, type: 'search', autocomplete: 'off', spellcheck: 'false' });
  field.addEventListener('input', () => {
    const search = field.value.trim().toLowerCase();
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (tree.querySelectorAll(':scope > ul > li'))) {
      row.hidden = !row.dataset.name?.includes(search);
    }
  });
  return element('div', { class: 'field' }, element('label', { for: id }, 'Find a field'), field);
}
