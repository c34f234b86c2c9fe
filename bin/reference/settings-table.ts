import { RUN_SETTINGS, SETTING_GROUPS, type Setting } from '../../src/rolebook/cli/run-settings.ts'

/** The tables of `docs/configuration.md`, from the table that `rolebook run` is started with. */
export function settingsTables(): string {
  const settings: readonly Setting[] = Object.values(RUN_SETTINGS)
  return Object.entries(SETTING_GROUPS)
    .map(([group, title]) => `\n## ${title}\n\n${tableOf(settings.filter((one) => one.group === group))}`)
    .join('')
}

function tableOf(settings: readonly Setting[]): string {
  const rows = settings.map(
    ({ flags, environment, description, peer, ...rest }) =>
      `| \`${flags}\` | ${code(environment)} | ${code(rest.default)} | ${description} | ${peers(peer)} |\n`,
  )
  return `| Flag | Variable | Default | Meaning | Ansible operator |\n| --- | --- | --- | --- | --- |\n${rows.join('')}`
}

function code(text: string | undefined): string {
  return text === undefined ? '' : `\`${text}\``
}

/** `--a, --b (note)`: a default that differs stands in brackets. */
function peers(text: string | undefined): string {
  return (text ?? '').replace(/--[-a-z]+|[A-Z_]{4,}/g, (name) => `\`${name}\``)
}
