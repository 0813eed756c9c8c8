/** Who looks at a page, as far as its frame tells. */
export interface Viewer {
  id?: number;
  /** What people call the viewer. */
  name?: string;
  login?: string;
  isAdministrator: boolean;
  isSignedIn: boolean;
}

export const stranger: Viewer = { isAdministrator: false, isSignedIn: false };
