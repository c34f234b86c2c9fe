import { type Command, UsageError } from '../command.ts'
import { completionScript, SHELLS, type Shell } from '../completion/completion-script.ts'
import { EXIT } from '../terminal.ts'

/** @param load gives all commands, this one included */
export function newCompletionCommand(load: () => Promise<readonly Command[]>): Command {
  return {
    name: 'completion',
    summary: 'print a script that completes commands and flags in a shell',
    description: `Prints a script for ${SHELLS.join(', ')}: with it, Tab completes commands, flags, and values of flags.`,
    arguments: '<shell>',
    options: [],
    examples: [
      'source <(rolebook completion bash)',
      'rolebook completion zsh > "${fpath[1]}/_rolebook"',
      'rolebook completion fish > ~/.config/fish/completions/rolebook.fish',
    ],
    async run({ terminal, files }) {
      const [shell = ''] = files
      if (!isShell(shell)) throw new UsageError(`there is no completion for "${shell}": choose ${SHELLS.join(', ')}`)
      terminal.out(completionScript(shell, await load()))
      return EXIT.ok
    },
  }
}

function isShell(text: string): text is Shell {
  return (SHELLS as readonly string[]).includes(text)
}
