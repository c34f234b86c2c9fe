import { getPath, isJsonArray, type JsonPath, printPath } from '../../../core/base/json.ts'
import { propertySchema, type Schema } from '../../../core/schema/schema.ts'
import type { Type } from '../../expression/types/type.ts'
import { fitProblem, type Misfit, type MisfitField, unknownField } from './check-fit.ts'
import { literalProblem } from './literal-problem.ts'
import type { TypeScope } from './type-scope.ts'
import type { TypedTexts, WrittenObject } from './typed-texts.ts'

/** Where a value is used that has a wrong field. */
export interface Use {
  readonly texts: TypedTexts
  readonly scope: TypeScope
  readonly path: JsonPath
  readonly text: string | undefined
  /** The path as messages name it. */
  readonly place: JsonPath
  /** The schema of the object that the value goes into. */
  readonly root: Schema | undefined
}

/** Reports what is wrong with one field of a value: once and where it is written, however often the value is used. */
export function reportField(misfit: Misfit, field: MisfitField, use: Use): void {
  const written = use.texts.writtenObject(field.object)
  if (written) {
    reportWritten(misfit, field, { written, use })
    return
  }
  const { texts, path, scope, text } = use
  const problem = { ...misfit, hint: misfit.hint && `for \`${printPath(field.path)}\`: ${misfit.hint}` }
  if (text === undefined) texts.report(path, problem)
  else texts.reportText(text, { path, scope }, problem)
}

interface Written {
  readonly written: WrittenObject
  readonly use: Use
}

function reportWritten(misfit: Misfit, { object, name, schema, path: within }: MisfitField, at: Written): void {
  const { texts, scope, path: start, misfits } = at.written
  if (misfits.has(name)) return
  misfits.add(name)
  const path = [...start, name]
  const field = propertySchema(schema, name)
  const use = `it goes into \`${printPath([...at.use.place, ...within])}\` in ${lineOf(at)}`
  if (field === undefined) {
    const unknown =
      unknownField(name, schema, { path: [], root: at.use.root ?? schema, written: object.names() }) ?? misfit
    texts.report(path, { ...unknown, message: `${unknown.message}: ${use}` }, 'key')
    return
  }
  const found = fitProblem(object.field(name) as Type, field, [], at.use.root) ?? misfit
  const value = getPath(texts.document.value, path)
  const isLiteral = value !== undefined && !isJsonArray(value) && !String(value).includes('${')
  const literal = { literal: value, written: texts.written(path), schema: field }
  const problem = isLiteral ? literalProblem(found, literal) : found
  const report = { ...problem, message: `${problem.message}: ${use}` }
  if (typeof value === 'string') texts.reportText(value, { path, scope }, report)
  else texts.report(path, report)
}

/** `line 3`, or `line 3 of roles/web/tasks/pods.yaml` in another file. */
function lineOf({ written, use }: Written): string {
  const { source, start } = use.texts.document.locate(use.path)
  const { line } = source.position(start)
  return source === written.texts.document.source ? `line ${line}` : `line ${line} of ${source.path}`
}
