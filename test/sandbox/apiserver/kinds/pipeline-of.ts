import { readFileSync } from 'node:fs'
import { BuiltinSchemas } from '../../../../src/core/schema/builtin-schemas.ts'
import { builtinKinds } from '../../../../src/sandbox/apiserver/kinds/builtin-kinds.ts'
import type { Expected, FixtureCase } from './fixture.ts'
import { KindPipeline } from './kind-pipeline.ts'

const DATA = new URL('../../../../src/core/schema/builtin-schemas.generated.bin', import.meta.url)
const KINDS = builtinKinds(BuiltinSchemas.decode(readFileSync(DATA)))

/** The write pipeline of a built-in kind. */
export function pipelineOf(kind: string, { namespaced = true } = {}): KindPipeline {
  const rules = KINDS.find(({ gvk }) => gvk.kind === kind)
  if (rules === undefined) throw new Error(`there is no kind ${kind}`)
  return new KindPipeline(rules, { namespaced })
}

/** The causes of a refusal, each as `field: message`; of what is accepted, none. */
export function causesOf(answer: Expected): readonly string[] {
  if ('object' in answer) return []
  const causes = answer.causes as unknown as readonly { readonly field: string; readonly message: string }[]
  return causes.map(({ field, message }) => `${field}: ${message}`)
}

export function refusalsOf(pipeline: KindPipeline, request: Omit<FixtureCase, 'name'>): readonly string[] {
  return causesOf(pipeline.answer({ name: '', ...request }))
}
