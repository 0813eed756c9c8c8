/** The address of a user's picture: it ends with the key that the bytes lie below, so that it changes with them. */
export const avatarUri = (userId: number, key: string): string => `/avatar.ashx?UserID=${userId}&v=${key}`;

/** Undefined: there is no picture, or it lies elsewhere. */
export const avatarKey = (uri: string | null): string | undefined =>
  /^\/avatar\.ashx\?UserID=\d+&v=([0-9a-f]{32})$/.exec(uri ?? '')?.[1];

/** Keys of pictures that users have, as the database reads them from their addresses. */
export const avatarKeys = String.raw`select substring(avatar_uri from '^/avatar\.ashx\?UserID=\d+&v=([0-9a-f]{32})$') as key, id
  from general_user where avatar_uri is not null`;
