import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/base/json.ts'
import type { JinjaNode } from '../jinja/jinja-tree.ts'
import { parseJinja } from '../jinja/parse-jinja.ts'
import { textLiteral } from '../jsonata-text.ts'
import type { Parameters } from '../task-context.ts'
import { Undecided } from '../undecided.ts'

/** How Ansible's modules send what they send: here it is always a server-side apply, checked by the server. */
export const IGNORED_PARAMETERS: readonly string[] = [
  'apply',
  'append_hash',
  'merge_type',
  'server_side_apply',
  'validate',
  'delete_options',
  'delete_all',
  'force',
  'wait',
  'wait_timeout',
  'wait_sleep',
  'wait_condition',
  'generate_name',
]

/** The object that parameters beside a definition describe. */
export function objectParameters(parameters: Parameters): JsonObject {
  const apiVersion = parameters.value('api_version', 'api', 'version')
  const kind = parameters.value('kind')
  const metadata = metadataOf(parameters.value('name'), parameters.value('namespace'))
  return {
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(kind === undefined ? {} : { kind }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

function metadataOf(name: JsonValue | undefined, namespace: JsonValue | undefined): JsonObject {
  return { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) }
}

/** `wait_condition` as a `readyWhen`. */
export function conditionOfObject(value: JsonValue): string {
  const { type, status = 'True', reason } = isJsonObject(value) ? value : {}
  if (typeof type !== 'string' || type.includes('{{') || (reason !== undefined && typeof reason !== 'string')) {
    throw new Undecided('RB1704', '`wait_condition` is not simple')
  }
  const condition = `$condition($self, ${textLiteral(type)})`
  const wanted = typeof status === 'boolean' ? (status ? 'True' : 'False') : String(status)
  const first = `${condition}.status = ${textLiteral(wanted)}`
  return `\${${reason === undefined ? first : `${first} and ${condition}.reason = ${textLiteral(reason)}`}}`
}

/** `{{ lookup('template', 'service.yaml.j2') }}`, also `| from_yaml`: the file that it names. @throws Undecided */
export function templateNameOf(text: string): string | undefined {
  const inner = /^\s*\{\{(.*)\}\}\s*$/s.exec(text)?.[1]
  if (inner === undefined || !/\b(lookup|query)\s*\(/.test(inner)) return undefined
  let node: JinjaNode = parseJinja(inner)
  while (node.kind === 'filter' && ['from_yaml', 'from_yaml_all', 'list'].includes(node.name)) node = node.of
  const [plugin, file] = node.kind === 'call' ? node.args : []
  const name = file?.kind === 'literal' ? file.value : undefined
  if (plugin?.kind !== 'literal' || typeof name !== 'string') return undefined
  if (plugin.value === 'template') return `templates/${name}`
  return plugin.value === 'file' ? `files/${name}` : undefined
}
