/** What the profile tells of its owner. */
export interface ProfileView {
  id: number;
  name: string;
  login?: string;
  email?: string;
  role?: string;
  projects: number;
  teams: number;
  /** A person: has a password and may have access tokens. The System user is none. */
  isPerson: boolean;
}
