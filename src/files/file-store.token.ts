/** Injection token of the store of files. */
export const FILE_STORE = Symbol('FILE_STORE');
