/** Injection token of the Model. */
export const MODEL = Symbol('MODEL');
