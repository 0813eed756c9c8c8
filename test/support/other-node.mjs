/**
 * Another version of Node, whose binary comes from npm into a folder of its own, apart from the packages of the
 * project.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Installs the newest one that `version` names (24, 24.11.0) and returns the folder that the binary lies in. */
export function installNode(version, directory) {
  const name = `node-${process.platform}-${process.arch}`;
  const install = ['install', '--silent', '--no-save', '--ignore-scripts', '--prefix', directory, `${name}@${version}`];
  execFileSync('npm', install, { stdio: 'inherit' });
  return join(directory, 'node_modules', name, 'bin');
}
