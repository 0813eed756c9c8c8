/** Where to go after log-in: a path of this service, whatever the address says; anything else is the start page. */
export function localPath(said: string | null | undefined): string {
  if (!said || !/^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(said) || said.includes('\\')) return '/';
  const here = 'http://here.invalid';
  return URL.canParse(said, here) && new URL(said, here).origin === here ? said : '/';
}
