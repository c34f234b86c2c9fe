import { isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../../core/base/json.ts'
import { parseDuration } from '../../../core/kube/duration.ts'
import { locateProblems, SchemaChecker } from '../../../core/yaml/check-schema.ts'
import { type Diagnostic, diagnosticAt, isError, type Problem } from '../../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../../core/yaml/source-file.ts'
import type {
  FaultAction,
  FaultPlan,
  FaultReply,
  FaultRule,
  WatchFault,
} from '../../../sandbox/apiserver/faults/fault-plan.ts'
import { FAULTS_SCHEMA } from './fault-schema.ts'

export interface ParsedFaults {
  /** Absent when something is wrong. */
  readonly plan?: FaultPlan
  readonly diagnostics: readonly Diagnostic[]
}

const checker = new SchemaChecker(FAULTS_SCHEMA)

/** A file of `--faults` to a plan, or everything that is wrong with it. */
export function parseFaults(source: SourceFile): ParsedFaults {
  const { documents, diagnostics } = parseYaml(source, { single: true })
  const [document] = documents
  if (!document) return { diagnostics }
  const problems = locateProblems(document, checker.check(document.value))
  if (problems.length > 0) return { diagnostics: [...diagnostics, ...problems] }
  const { seed, rules } = document.value as { readonly seed?: number; readonly rules: readonly JsonObject[] }
  const reader = new RuleReader(document)
  const read = rules.map((rule, index) => reader.read(rule, ['rules', index]))
  const all = [...diagnostics, ...reader.found]
  if (all.some(isError)) return { diagnostics: all }
  return { plan: { seed: seed ?? 0, rules: read }, diagnostics: all }
}

/** Of these, one rule has one. */
const EXCLUSIVE = ['reply', 'drop', 'truncate', 'stall', 'expire', 'watch'] as const

/** Reads rules whose shape is right. */
class RuleReader {
  readonly found: Diagnostic[] = []
  readonly #document: ParsedYaml

  constructor(document: ParsedYaml) {
    this.#document = document
  }

  read({ when = {}, do: action = {} }: JsonObject, path: JsonPath): FaultRule {
    const { verbs } = when as FaultRule['when']
    const chosen = EXCLUSIVE.filter((key) => isJsonObject(action) && Object.hasOwn(action, key))
    const [, second] = chosen
    if (second !== undefined) {
      const message = `${chosen.join(' and ')} cannot happen to one request`
      this.#report([...path, 'do', second], { code: 'RB1502', message, hint: 'make a rule of each' }, 'key')
    }
    for (const [key, fitting] of Object.entries(FITTING)) {
      if (!chosen.includes(key as 'watch') || !verbs || verbs.some((verb) => fitting.includes(verb))) continue
      const message = `\`${key}\` is for ${fitting.join(' and ')}, which the rule's verbs leave out`
      this.#report([...path, 'do', key], { code: 'RB1503', message }, 'key')
    }
    return { when: when as FaultRule['when'], do: this.#action(action as JsonObject, [...path, 'do']) }
  }

  #action(action: JsonObject, path: JsonPath): FaultAction {
    const { latency, reply, drop, truncate, stall, expire, watch } = action
    return {
      latency: this.#duration(latency, [...path, 'latency']),
      reply: isJsonObject(reply) ? statusReply(reply) : undefined,
      drop: drop as FaultAction['drop'],
      truncate: truncate as number | undefined,
      stall: stall === 'after' ? 0 : (stall as 'before' | undefined),
      expire: expire === true,
      watch: isJsonObject(watch) ? this.#watch(watch, [...path, 'watch']) : undefined,
    }
  }

  #watch(watch: JsonObject, path: JsonPath): WatchFault {
    return { ...(watch as Omit<WatchFault, 'delay'>), delay: this.#duration(watch.delay, [...path, 'delay']) }
  }

  #duration(text: JsonValue | undefined, path: JsonPath): number | undefined {
    const duration = typeof text === 'string' ? parseDuration(text) : undefined
    if (text !== undefined && (duration === undefined || duration > LONGEST)) {
      this.#report(path, { code: 'RB1501', message: 'must be a duration up to 1h such as 200ms or 1m30s' })
    }
    return duration
  }

  #report(path: JsonPath, problem: Problem, at?: 'key'): void {
    this.found.push(diagnosticAt(this.#document.locate(path, at), problem))
  }
}

const LONGEST = 3_600_000
const FITTING: Readonly<Record<string, readonly string[]>> = { watch: ['watch'], expire: ['list', 'watch'] }

const REASONS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Expired',
  413: 'RequestEntityTooLarge',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

function statusReply({ code, reason, message, details, retryAfter }: JsonObject): FaultReply {
  const known = reason ?? REASONS[Number(code)] ?? ''
  const seconds = retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }
  const body: JsonObject = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: message ?? `a fault of the plan: ${code} ${known}`,
    reason: known,
    details: { ...(details as JsonObject | undefined), ...seconds },
    code,
  }
  return { code: Number(code), body, retryAfter: retryAfter as number | undefined }
}
