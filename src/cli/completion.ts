/**
 * `worktrack completion bash`: a script that completes commands, options and words, made from the commands themselves.
 */
import type { Command } from 'commander';

export function bashCompletion(root: Command): string {
  const cases = [...helpOf(root, 'help'), ...pathsOf(root, '')]
    .sort((a, b) => b.path.length - a.path.length)
    // Longer ones first: the first that matches counts.
    .map(
      ({ path, words, takesFile }) => `    '${path}'*) words='${words.join(' ')}'${takesFile ? ' files=yes' : ''} ;;`,
    );
  return `# worktrack completion bash > /etc/bash_completion.d/worktrack
_worktrack() {
  local words files='' before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ -z "$files" ] || [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _worktrack worktrack
`;
}

interface Path {
  readonly path: string;
  readonly words: readonly string[];
  readonly takesFile: boolean;
}

function pathsOf(command: Command, path: string): Path[] {
  const { commands, options, registeredArguments } = command;
  const words = [
    ...namesOf(command),
    ...registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    ...options.map(({ long }) => long ?? ''),
    '--help',
  ];
  const takesFile = registeredArguments.some((argument) => argument.name() === 'file');
  return [{ path, words, takesFile }, ...commands.flatMap((each) => pathsOf(each, `${path} ${each.name()}`.trim()))];
}

/** `help` takes the names of commands; so does that of a group, behind its name. */
function helpOf(command: Command, path: string): Path[] {
  const below = command.commands.flatMap((each) => helpOf(each, `${path} ${each.name()}`));
  return [{ path, words: command.commands.map((each) => each.name()), takesFile: false }, ...below];
}

const namesOf = ({ commands }: Command): string[] =>
  commands.length > 0 ? [...commands.map((each) => each.name()), 'help'] : [];
