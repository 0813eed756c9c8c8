/** What the page of an entity shows. */
export interface EntityView {
  id: number;
  /** Name of the resource, such as `UserStory`. */
  kind: string;
  /** Name of its collection in the API. */
  collection: string;
  name: string;
  /** As much of it as is shown. */
  description?: string;
  state?: string;
  project?: { id: number; name: string };
  owner?: string;
  tags: string[];
  /** As the service tells them: local time with its offset. */
  created: string;
  changed: string;
  started: string | null;
  ended: string | null;
  /** The first of them, and how many there are. */
  files: FileView[];
  fileCount: number;
  comments: CommentView[];
  /** How many comments come before the ones shown, and how many there are. */
  skipped: number;
  total: number;
}

export interface FileView {
  id: number;
  name: string;
  bytes: number;
}

export interface CommentView {
  id: number;
  replyTo: number | null;
  author: string;
  date: string;
  /** As much of it as is shown; undefined where the texts before it have taken all the room. */
  text: string | undefined;
  isPrivate: boolean;
}

export const filesShown = 100;

/** Comments on one page. */
export const commentsShown = 100;
