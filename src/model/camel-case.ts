/** A name of the model as version 2, columns and agents spell it: `EntityState` is `entityState`. */
export const camelCase = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
