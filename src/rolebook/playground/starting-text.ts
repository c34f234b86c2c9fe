import type { ProjectTexts } from './protocol.ts'

/** What a new file begins with: as much as a file of its kind needs to be read without a mistake. */
export function startingText(path: string, files: ProjectTexts): string {
  if (/(?:^|\/)role\.yaml$/.test(path)) return ROLE
  if (/\/charts\/[^/]+\/Chart\.yaml$/.test(path))
    return `apiVersion: v2\nname: ${path.split('/').at(-2)}\nversion: 0.1.0\n`
  const [, role] = /^(roles\/[^/]+\/)tests\/[^/]+$/.exec(path) ?? []
  if (role === undefined) return ''
  const sample = Object.keys(files).find((one) => one.startsWith(`${role}samples/`))
  const given = sample === undefined ? '' : `given: [../${sample.slice(role.length)}]\n`
  return `${given}steps:\n  - name: nothing is written again\n    advance: 10m\n`
}

const ROLE = `tasks:
  - name: Settings
    ensure:
      apiVersion: v1
      kind: ConfigMap
      metadata: { name: "\${metadata.name}-settings" }
      data: {}
`
