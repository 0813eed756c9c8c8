/**
 * How old anything may be that a process keeps in memory of the database: accounts and what leads to them
 * (`auth/actors.ts`), settings (`auth/settings.ts`) and the definitions of custom fields
 * (`modules/custom-fields/catalogue.ts`). Age counts from the question, so a change holds everywhere within this time,
 * whoever made it: nobody has to be notified, and nothing that was told can get lost.
 */
export const mostAgeMs = 1_000;
