import { BUILTIN_DOCS } from '../../engine/expression/builtins/builtin-docs.ts'
import { BUILTIN_FUNCTIONS } from '../../engine/expression/builtins/builtin-functions.ts'
import type { FunctionTable } from '../../engine/expression/function-table.ts'

/** A function as an editor shows it. */
export interface DocumentedFunction {
  readonly name: string
  /** `$substring(text, start, length?)`, or `$dnsName <an?:s>` with the signature in the notation of JSONata. */
  readonly call: string
  /** Markdown. */
  readonly doc: string
  /** Whether it is none of JSONata. */
  readonly isOwn: boolean
}

/** All functions that expressions may call. */
export function documentedFunctions(functions: FunctionTable): readonly DocumentedFunction[] {
  const own = [...functions.values()].map(({ name, signature, doc, example }) => {
    return { name, call: `$${name} ${signature}`, doc: `${doc}\n\n\`\`\`jsonata\n${example}\n\`\`\``, isOwn: true }
  })
  const builtins = BUILTIN_FUNCTIONS.map(({ name }) => {
    const { parameters = '', doc = '' } = BUILTIN_DOCS[name] ?? {}
    return { name, call: `$${name}(${parameters})`, doc, isOwn: false }
  })
  return [...own, ...builtins]
}
