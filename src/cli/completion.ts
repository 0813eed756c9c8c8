/** `worktrack completion bash`: a script that completes commands and options, made from the commands themselves. */
import type { Command } from 'commander';

export function bashCompletion(root: Command): string {
  const cases = pathsOf(root, '')
    // Deeper ones first: the first that matches counts.
    .reverse()
    .map(({ path, words }) => `    '${path}'*) words='${words.join(' ')}' ;;`);
  return `# worktrack completion bash > /etc/bash_completion.d/worktrack
_worktrack() {
  local words before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [ \${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -F _worktrack worktrack
`;
}

interface Path {
  readonly path: string;
  readonly words: readonly string[];
}

function pathsOf(command: Command, path: string): Path[] {
  const words = [
    ...command.commands.map((each) => each.name()),
    ...command.options.map(({ long }) => long ?? ''),
    '--help',
  ];
  const below = command.commands.flatMap((each) => pathsOf(each, `${path} ${each.name()}`.trim()));
  return [{ path, words }, ...below];
}
