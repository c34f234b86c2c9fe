import { getPath, isJsonArray, isJsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import { parseLoosely } from '../../core/yaml/parse-loosely.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import type { TaskKind } from '../../engine/role/task-kind.ts'

/** A task or a variable, for the outline of a file. */
export interface FileSymbol {
  readonly name: string
  readonly detail: string
  readonly kind: 'task' | 'variable' | 'entry'
  readonly range: SourceRange
  /** Of its name. */
  readonly selection: SourceRange
  readonly children: readonly FileSymbol[]
}

/** The outline of role.yaml, of a file of tasks or of watches.yaml, as far as it can be read. */
export function symbolsOf(path: string, text: string, kinds: readonly TaskKind[]): readonly FileSymbol[] {
  const { document } = parseLoosely(new SourceFile(path, text), 0)
  if (!document) return []
  const { value } = document
  if (isJsonArray(value)) return items(value, [], { document, kinds })
  if (!isJsonObject(value)) return []
  const vars = isJsonObject(value.vars) ? Object.keys(value.vars) : []
  return [
    ...vars.map((name) => variable(name, document)),
    ...items(value.tasks, ['tasks'], { document, kinds }),
    ...items(value.finalize, ['finalize'], { document, kinds }),
  ]
}

interface Outline {
  readonly document: ParsedYaml
  readonly kinds: readonly TaskKind[]
}

function variable(name: string, document: ParsedYaml): FileSymbol {
  const selection = document.locate(['vars', name], 'key')
  const { end } = document.locate(['vars', name])
  return { name: `$${name}`, detail: '', kind: 'variable', range: { ...selection, end }, selection, children: [] }
}

function items(list: JsonValue | undefined, path: JsonPath, outline: Outline): readonly FileSymbol[] {
  return (isJsonArray(list) ? list : []).flatMap((item, index) => {
    return isJsonObject(item) ? [symbolOf(item, [...path, index], outline)] : []
  })
}

function symbolOf(
  item: { readonly [key: string]: JsonValue | undefined },
  path: JsonPath,
  outline: Outline,
): FileSymbol {
  const { document, kinds } = outline
  const kind = kinds.find(({ name }) => item[name] !== undefined)
  const body = kind ? item[kind.name] : undefined
  const range = document.locate(path)
  const isEntry = kind === undefined && typeof item.kind === 'string'
  const made = isJsonObject(body) && typeof body.kind === 'string' ? ` ${body.kind}` : ''
  const children = kind
    ? (kind.lists ?? []).flatMap((field) => items(getPath(body, [field]), [...path, kind.name, field], outline))
    : []
  const detail = isEntry ? String(item.role ?? '') : `${kind?.name ?? ''}${made}`
  const name = isEntry ? String(item.kind) : nameOf(item, kind)
  const named = item.name === undefined ? range : document.locate([...path, 'name'])
  return { name, detail, kind: isEntry ? 'entry' : 'task', range, selection: inside(named, range), children }
}

function nameOf({ name }: { readonly [key: string]: JsonValue | undefined }, kind: TaskKind | undefined): string {
  return typeof name === 'string' && name !== '' ? name : (kind?.name ?? 'task')
}

/** An editor refuses a selection that leaves its range. */
function inside(selection: SourceRange, range: SourceRange): SourceRange {
  return selection.start < range.start || selection.end > range.end ? range : selection
}
