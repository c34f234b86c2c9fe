import type { CompletedCommand, Flag } from './completed-command.ts'

/** For zsh, as a function `_rolebook` of its completion system. */
export function zshScript(commands: readonly CompletedCommand[]): string {
  return `#compdef rolebook
_rolebook() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}\n`).join('')}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(caseOf).join('')}    *) _files ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _rolebook "$@"; else compdef _rolebook rolebook; fi
`
}

function caseOf({ name, flags }: CompletedCommand): string {
  const specs = flags.flatMap(specsOf).map((spec) => `        ${quoted(spec)} \\\n`)
  return `    ${name})\n      _arguments \\\n${specs.join('')}        '*:file:_files' ;;\n`
}

/** As \`_arguments\` reads them: \`--flag=[description]:name:action\`. */
function specsOf({ long, short, description, value }: Flag): readonly string[] {
  const text = description.replace(/[[\]\\]/g, '\\$&').replaceAll(':', '\\:')
  if (!value) return [long, ...(short === undefined ? [] : [short])].map((flag) => `${flag}[${text}]`)
  const action = value.words ? `(${value.words.join(' ')})` : value.isFile ? '_files' : ' '
  const forms = [`${long}=`, ...(short === undefined ? [] : [`${short}+`])]
  return forms.map((form) => `${form}[${text}]:${value.name.replaceAll(':', '\\:')}:${action}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
