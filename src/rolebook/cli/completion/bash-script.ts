import type { CompletedCommand, Flag } from './completed-command.ts'

/** For bash 3.2 and newer, without the package `bash-completion`. Where nothing is known, bash completes files. */
export function bashScript(commands: readonly CompletedCommand[]): string {
  return `# bash completion of rolebook
_rolebook() {
  local command= word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} words= index
  # bash takes --flag=value for three words.
  if [[ $word == = ]]; then word=
  elif [[ $before == = && COMP_CWORD -ge 2 ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [[ \${COMP_WORDS[index]} != -* ]]; then command=\${COMP_WORDS[index]}; break; fi
  done
  COMPREPLY=()
  case "$command $before" in
${commands.flatMap(valueCases).join('')}    *)
      case $command in
        '') words='${commands.map(({ name }) => name).join(' ')} --help --version' ;;
${commands.map(flagCase).join('')}      esac
      [[ -z $command || $word == -* ]] || return 0 ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _rolebook rolebook
`
}

/** What comes after a flag: its words, else files. */
function valueCases({ name, flags }: CompletedCommand): readonly string[] {
  return flags.flatMap(({ long, short, value }) => {
    if (!value) return []
    const patterns = [long, ...(short === undefined ? [] : [short])].map((flag) => `'${name} ${flag}'`).join('|')
    return [`    ${patterns}) ${value.words ? `words='${value.words.join(' ')}'` : 'return 0'} ;;\n`]
  })
}

function flagCase({ name, flags }: CompletedCommand): string {
  return `        ${name}) words='${[...flags.map(({ long }: Flag) => long), '--help'].join(' ')}' ;;\n`
}
