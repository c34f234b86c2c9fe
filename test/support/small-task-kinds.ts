import { FakeClock } from '../../src/core/base/fake-clock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/base/json.ts'
import { nopLogger } from '../../src/core/base/logger.ts'
import type { Diagnostic } from '../../src/core/yaml/diagnostic.ts'
import { SourceFile } from '../../src/core/yaml/source-file.ts'
import type { Template } from '../../src/engine/expression/compile-template.ts'
import { type CompileOptions, compileRole } from '../../src/engine/role/compile/compile-role.ts'
import { RoleParser } from '../../src/engine/role/parse/parse-role.ts'
import type { Role } from '../../src/engine/role/role.ts'
import { evaluateCondition } from '../../src/engine/role/run/evaluate-condition.ts'
import type { RunPorts } from '../../src/engine/role/run/run-ports.ts'
import { runRole } from '../../src/engine/role/run/run-role.ts'
import type { TaskKind } from '../../src/engine/role/task-kind.ts'
import type { RunOutcome } from '../../src/engine/role/task-outcome.ts'
import { TaskRegistry } from '../../src/engine/role/task-registry.ts'

/** What `say` tasks said, in order. */
export const said: { task: string; value: JsonValue | undefined }[] = []

/** Renders its body, and yields it as if it were an object of the cluster. Every field called `needed` needs a value. */
const say: TaskKind<Template> = {
  name: 'say',
  doc: 'Yields its body.',
  example: '- say: hello',
  schema: {},
  modifiers: ['loop', 'register', 'readyWhen', 'waitReady', 'retain', 'adopt'],
  compile: (_body, context) => context.template([], { needsValue: (path) => path.includes('needed') }),
  run: async (template, { scope, task }) => {
    const value = template.render(scope)
    said.push({ task, value })
    return { kind: 'changed', value }
  },
  permissions: () => [{ gvk: { group: '', version: 'v1', kind: 'ConfigMap' }, access: 'own' }],
}

/** Names for values. */
const name: TaskKind<readonly (readonly [string, Template])[]> = {
  name: 'let',
  doc: 'Names for values.',
  example: '- let: { a: 1 }',
  schema: { type: 'object' },
  modifiers: [],
  compile: (body, context) =>
    Object.keys(isJsonObject(body) ? body : {}).map((key) => {
      const template = context.template([key])
      context.define(key, [key])
      return [key, template] as const
    }),
  run: async (names, { scope }) => {
    for (const [key, template] of names) scope.set(key, template.render(scope))
    return { kind: 'unchanged' }
  },
  permissions: () => [],
}

/** Waits until a condition holds. */
const hold: TaskKind<ReturnType<Parameters<TaskKind['compile']>[1]['expression']>> = {
  name: 'hold',
  doc: 'Waits for a condition.',
  example: '- hold: { until: "${true}" }',
  schema: {
    type: 'object',
    required: ['until'],
    additionalProperties: false,
    properties: { until: { type: 'string' } },
  },
  modifiers: ['loop'],
  holdsUpLaterTasks: true,
  compile: (_body, context) => context.expression(['until']),
  run: async (condition, { scope, task }) =>
    condition && evaluateCondition(condition, scope)
      ? { kind: 'unchanged' }
      : { kind: 'waiting', reason: `${task} does not hold` },
  permissions: () => [],
}

/** A vocabulary without a cluster, for tests of the language around it. */
export const SMALL_KINDS: readonly TaskKind[] = [say, name, hold]

export const SMALL_PARSER = new RoleParser(new TaskRegistry(SMALL_KINDS))

const WATCH = { group: 'example.com', version: 'v1', kind: 'Web' }

/** The text of a role, compiled as for a resource with a `spec`. */
export function compileText(
  text: string,
  options: Partial<CompileOptions> = {},
): { readonly role?: Role; readonly diagnostics: readonly Diagnostic[] } {
  const { draft, diagnostics } = SMALL_PARSER.parse(new SourceFile('role.yaml', text))
  if (!draft) return { diagnostics }
  const fields = new Set(['apiVersion', 'kind', 'metadata', 'spec'])
  const compiled = compileRole(draft, { name: 'web', watch: WATCH, vars: {}, fields, ...options })
  return { ...compiled, diagnostics: [...diagnostics, ...compiled.diagnostics] }
}

/** Runs the text of a role, which must be right, for a resource with this `spec`. */
export async function runText(
  text: string,
  spec: JsonObject = {},
  { list, ...options }: Partial<CompileOptions & RunPorts> & { readonly list?: 'finalize' } = {},
): Promise<RunOutcome> {
  const { role, diagnostics } = compileText(text, options)
  if (!role) throw new Error(diagnostics.map(({ line, message }) => `${line}: ${message}`).join('\n'))
  said.length = 0
  return runRole(role, { ...nopPorts(spec), ...options }, list)
}

function nopPorts(spec: JsonObject): RunPorts {
  const refuse = (): never => {
    throw new Error('there is no cluster in this test')
  }
  return {
    resource: { apiVersion: 'example.com/v1', kind: 'Web', metadata: { name: 'web', namespace: 'default' }, spec },
    objects: { get: refuse, list: refuse, ensure: refuse, patch: refuse, locate: refuse, reportReadiness: refuse },
    status: { set: refuse },
    events: { record: refuse },
    waits: { left: (_place, timeout) => timeout, over: () => undefined },
    clock: new FakeClock(),
    logger: nopLogger,
    signal: new AbortController().signal,
  }
}
