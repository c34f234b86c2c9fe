import { getPath } from '../../core/base/json.ts'
import type { SourceRange } from '../../core/yaml/diagnostic.ts'
import { parseLoosely } from '../../core/yaml/parse-loosely.ts'
import { SourceFile } from '../../core/yaml/source-file.ts'
import { inferType } from '../../engine/expression/infer-type.ts'
import type { SeenName } from '../../engine/expression/types/inference.ts'
import { writtenName } from '../../engine/expression/types/source-place.ts'
import type { SeenExpression } from '../../engine/role/check/typed-texts.ts'
import { rulesFor } from './document-rules.ts'
import { documentedFunctions } from './function-docs.ts'
import { variableAt } from './names.ts'
import { printSchemaType, schemaDoc } from './print-schema.ts'
import { fieldOf, printType } from './print-type.ts'
import type { Request } from './request.ts'
import type { RoleAnalysis } from './role-analysis.ts'
import { sampleValue } from './sample-value.ts'
import { type SchemaPlace, schemaPlaceAt } from './schema-places.ts'

export interface Hover {
  /** Markdown. */
  readonly text: string
  readonly range: SourceRange
}

/** What is known of what stands at a place. */
export function hover(request: Request): Hover | undefined {
  const { path, offset, view } = request
  const use = view.useOf(path)
  if (!use) return undefined
  if ('role' in use) {
    const analysis = view.analysisOf(use.role)
    const seen = analysis && expressionAt(analysis, path, offset)
    if (analysis && seen) return hoverOfName(seen, analysis, { request, role: use.role })
    const named = analysis && hoverOfDefinition(request, analysis, use.role)
    if (named) return named
  }
  return use.use === 'text' ? undefined : hoverOfSchema(request)
}

interface Placed {
  readonly expression: SeenExpression
  /** In the source of the expression. */
  readonly offset: number
}

/** The expression around an offset of a file. */
function expressionAt({ seen }: RoleAnalysis, path: string, offset: number): Placed | undefined {
  for (const expression of seen) {
    const { file, source, locate } = expression
    if (file.path !== path) continue
    const { start, end } = locate(0, source.length)
    if (offset < start || offset > end) continue
    let place = 0
    while (place < source.length && locate(place, 1).end <= offset) place += 1
    return { expression, offset: place }
  }
  return undefined
}

interface Context {
  readonly request: Request
  readonly role: string
}

function hoverOfName(
  { expression, offset }: Placed,
  { functions, draft }: RoleAnalysis,
  { request, role }: Context,
): Hover | undefined {
  const { source, variables, input, locate } = expression
  const names = new Map<string, SeenName>()
  try {
    inferType(source, { functions, variables, input, see: (name) => names.set(`${name.position}`, name) })
  } catch {
    return undefined
  }
  const at = [...names.values()].find(({ position, length }) => position <= offset && offset < position + length)
  const called = functionAt(source, offset, functions)
  if (called) return { text: called.text, range: locate(called.position, called.length) }
  if (!at) return undefined
  const sample = sampleValue(source, at, { names: [...names.values()], input, draft, view: request.view, role })
  return { text: textOfName(at, sample), range: locate(at.position, at.length) }
}

function textOfName({ kind, name, type, of }: SeenName, sample: string | undefined): string {
  const title = kind === 'field' ? writtenName(name) : `$${name}`
  const doc = of === undefined ? undefined : fieldOf(of, name).doc
  const lines = [
    `\`${title}\`: ${printType(type)}`,
    doc,
    sample === undefined ? undefined : `In the sample: \`${sample}\``,
  ]
  return lines.filter((line) => line !== undefined && line !== '').join('\n\n')
}

function functionAt(source: string, offset: number, functions: RoleAnalysis['functions']) {
  for (const { 0: text, index, 1: name = '' } of source.matchAll(/\$(\w+)(?=\s*\()/g)) {
    if (offset < index || offset >= index + text.length) continue
    const found = documentedFunctions(functions).find((one) => one.name === name)
    return found && { text: `\`${found.call}\`\n\n${found.doc}`, position: index, length: text.length }
  }
  return undefined
}

/** Where a variable is defined: the type that later expressions see. */
function hoverOfDefinition({ path, offset, view }: Request, analysis: RoleAnalysis, role: string): Hover | undefined {
  const variable = variableAt(path, offset, { analysis, view, role })
  const definition = variable?.definitions.find(
    ({ range }) => range.source.path === path && range.start <= offset && offset <= range.end,
  )
  if (!variable || !definition) return undefined
  const seen = analysis.seen.findLast(({ variables }) => variables.has(variable.name))
  const type = seen?.variables.get(variable.name)
  const count = variable.uses.length
  const used = `Used ${count} ${count === 1 ? 'time' : 'times'}.`
  const title = `\`$${variable.name}\`${type === undefined ? '' : `: ${printType(type)}`}`
  return { text: `${title}\n\n${used}`, range: definition.range }
}

function hoverOfSchema({ path, text, offset, view, tests }: Request): Hover | undefined {
  const use = view.useOf(path)
  const source = new SourceFile(path, text)
  const { document } = parseLoosely(source, offset)
  const place = document?.placeAt(offset)
  if (!use || !document || !place?.scalar) return undefined
  const here = schemaPlaceAt(document.value, place.path, rulesFor(use, view, tests))
  const [schema] = here.schemas
  if (!schema || getPath(document.value, place.path) === undefined) return undefined
  const { start, end } = place.scalar
  return { text: textOfSchema(String(place.path.at(-1)), here), range: { source, start, end } }
}

function textOfSchema(name: string, { schemas, task }: SchemaPlace): string {
  const [first = {}] = schemas
  const described = schemas.find(({ description }) => description !== undefined)
  const isKind = task !== undefined && task.path.length === 0
  const example = isKind ? `\n\n\`\`\`yaml\n${task.kind.example}\`\`\`` : ''
  return `\`${name}\`: ${printSchemaType(first)}\n\n${described ? schemaDoc(described) : ''}${example}`.trimEnd()
}
