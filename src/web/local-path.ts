/** Where to go after log-in: a path of this service, whatever the address says; anything else is the start page. */
export function localPath(address: string | null | undefined): string {
  if (!address || !/^\/(?![/\\])[\x21-\x7e]{0,2000}$/.test(address) || address.includes('\\')) return '/';
  const here = 'http://here.invalid';
  return URL.canParse(address, here) && new URL(address, here).origin === here ? address : '/';
}
