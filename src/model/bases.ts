/** Discriminator values of the classes between General and its kinds; no row has them. */
export const bases = { assignable: -1, timebox: -2 } as const;
