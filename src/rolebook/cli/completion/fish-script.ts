import type { CompletedCommand, Flag } from './completed-command.ts'

/** For fish: one line for each command and flag. */
export function fishScript(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c rolebook -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...flags.map((flag) => `complete -c rolebook -n ${quoted(`__fish_seen_subcommand_from ${name}`)} ${partsOf(flag)}`),
  ])
  return `# fish completion of rolebook\n${lines.join('\n')}\n`
}

function partsOf({ long, short, description, value }: Flag): string {
  const parts = [`-l ${long.slice(2)}`, ...(short === undefined ? [] : [`-s ${short.slice(1)}`])]
  if (value) parts.push('-r', ...(value.isFile ? ['-F'] : ['-f']))
  if (value?.words) parts.push(`-a ${quoted(value.words.join(' '))}`)
  return [...parts, `-d ${quoted(description)}`].join(' ')
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
