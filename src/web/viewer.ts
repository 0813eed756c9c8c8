/** Who looks at a page, as far as its header and navigation show it. */
export interface Viewer {
  id?: number;
  /** What people call the viewer. */
  name?: string;
  login?: string;
  isAdministrator: boolean;
  isSignedIn: boolean;
}

export const anonymousViewer: Viewer = { isAdministrator: false, isSignedIn: false };
