import { isJsonArray, isJsonObject, type JsonObject, type JsonPath, type JsonValue } from '../../core/base/json.ts'
import { compileRegex } from '../../core/base/regex.ts'
import { parseDuration } from '../../core/kube/duration.ts'
import { type Gvk, gvkOf } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { locateProblems, SchemaChecker } from '../../core/yaml/check-schema.ts'
import { type Diagnostic, diagnosticAt, isError, type Problem } from '../../core/yaml/diagnostic.ts'
import { parseYaml } from '../../core/yaml/parse-yaml.ts'
import type { ParsedYaml } from '../../core/yaml/parsed-yaml.ts'
import type { SourceFile } from '../../core/yaml/source-file.ts'
import { type UnknownField, unknownFieldsOf } from '../config/unknown-fields.ts'
import type { KindNames } from './kind-names.ts'
import { matcherOf } from './matcher.ts'
import type { Action, Ending, Expectation, Fault, Search, Step, Target, TestCase } from './test-case.ts'
import { TEST_SCHEMA } from './test-schema.ts'
import { unknownExpectations } from './unknown-expectations.ts'

export interface ParsedTest {
  /** Absent when something is wrong. */
  readonly test?: TestCase | undefined
  readonly diagnostics: readonly Diagnostic[]
}

export interface TestSurroundings {
  /** The role that the test stands with. */
  readonly role: string
  readonly kinds: KindNames
  /** Kinds that the role of the test is about: of several kinds of one name, these are meant. */
  readonly watched: readonly Gvk[]
  /** Objects of a file that `given` names, or what is wrong with it. */
  readFile(path: string): { readonly objects: readonly KubeObject[] } | Problem
}

const checker = new SchemaChecker(TEST_SCHEMA)

/** A file of role tests, or everything that is wrong with it. */
export function parseTest(source: SourceFile, surroundings: TestSurroundings): ParsedTest {
  const { documents, diagnostics } = parseYaml(source, { single: true })
  const [document] = documents
  if (!document) return { diagnostics }
  const problems = locateProblems(document, checker.check(document.value))
  if (problems.length > 0) return { diagnostics: [...diagnostics, ...problems] }
  const reader = new TestReader(document, surroundings)
  const test = reader.read(document.value as JsonObject)
  const all = [...diagnostics, ...reader.found]
  return all.some(isError) ? { diagnostics: all } : { test, diagnostics: all }
}

const ACTIONS = ['patch', 'create', 'delete', 'advance', 'fail', 'restart'] as const

/** What a server may refuse. */
const REQUESTS = ['patch', 'create', 'delete'] as const

/** Reads a test whose shape is right. */
class TestReader {
  readonly found: Diagnostic[] = []
  readonly #document: ParsedYaml
  readonly #surroundings: TestSurroundings
  /** Kinds that the test has named with their group. */
  readonly #nearby: Gvk[]
  #kinds: KindNames

  constructor(document: ParsedYaml, surroundings: TestSurroundings) {
    this.#document = document
    this.#surroundings = surroundings
    this.#nearby = [...surroundings.watched]
    this.#kinds = surroundings.kinds
  }

  read({ given, workloads, steps }: JsonObject): TestCase {
    this.#kinds = this.#kinds.with(list(given).flatMap((item) => this.#crdsIn(item)))
    const objects = list(given).flatMap((item, index) => this.#given(item, ['given', index]))
    const read = list(steps).map((step, index) => this.#step(step as JsonObject, ['steps', index]))
    const { path } = this.#document.source
    const { role } = this.#surroundings
    return {
      path,
      role,
      document: this.#document,
      workloads: workloads !== false,
      given: objects,
      kinds: this.#kinds,
      steps: read,
    }
  }

  #crdsIn(item: JsonValue): readonly KubeObject[] {
    const file = typeof item === 'string' ? this.#surroundings.readFile(item) : { objects: [item as KubeObject] }
    return 'code' in file ? [] : file.objects.filter(isCrd)
  }

  #given(item: JsonValue, path: JsonPath): readonly KubeObject[] {
    if (typeof item !== 'string') return this.#object(item, path)
    const file = this.#surroundings.readFile(item)
    if ('code' in file) {
      this.#report(path, file)
      return []
    }
    this.#nearby.push(...file.objects.map(gvkOf))
    return file.objects
  }

  #object(value: JsonValue, path: JsonPath): readonly KubeObject[] {
    const metadata = isJsonObject(value) ? value.metadata : undefined
    const isNamed = isJsonObject(metadata) && typeof metadata.name === 'string'
    if (!isJsonObject(value) || typeof value.apiVersion !== 'string' || typeof value.kind !== 'string' || !isNamed) {
      this.#report(path, {
        code: 'RB1603',
        message: 'an object needs `apiVersion`, `kind` and `metadata.name`, as text',
      })
      return []
    }
    const found = this.#kinds.find(value.kind, value.apiVersion, [])
    if ('code' in found) this.#report([...path, 'kind'], found)
    else {
      this.#nearby.push(found)
      this.#warnOfUnknown(value, found, path)
    }
    return [value as KubeObject]
  }

  #step(step: JsonObject, path: JsonPath): Step {
    const given = ACTIONS.filter((key) => step[key] !== undefined)
    const [, second] = given
    if (second !== undefined) {
      const message = `\`${given.join('` and `')}\` cannot happen in one step: their order would be unknown`
      this.#report([...path, second], { code: 'RB1602', message, hint: 'make a step of each' }, 'key')
    }
    const action = given[0] && this.#action(given[0], step, path)
    return {
      path,
      name: typeof step.name === 'string' ? step.name : `step ${Number(path[1]) + 1}`,
      action: action || undefined,
      refused: this.#refused(step, [...path, 'refused']),
      wait: step.wait === undefined ? undefined : this.#duration(String(step.wait), [...path, 'wait']),
      expect: list(step.expect).flatMap((one, index) =>
        this.#expectation(one as JsonObject, [...path, 'expect', index]),
      ),
      absent: list(step.absent).flatMap((one, index) => this.#search(one as JsonObject, [...path, 'absent', index])),
      writes: this.#writes(step.writes as Step['writes'], [...path, 'writes']),
      keepsSecrets: step.leaks !== undefined,
    }
  }

  #refused({ refused, ...step }: JsonObject, path: JsonPath): string | undefined {
    const matcher = matcherOf(refused)
    if (matcher?.kind !== 'matches') return undefined
    this.#checkRegex(matcher.source, [...path, 'matches'])
    if (REQUESTS.some((key) => step[key] !== undefined)) return matcher.source
    const message = 'nothing can be refused here: the step asks the server for nothing'
    const hint = 'write it beside `patch`, `create` or `delete`'
    this.#report(path, { code: 'RB1608', message, hint }, 'key')
    return undefined
  }

  #writes(writes: Step['writes'], path: JsonPath): Step['writes'] {
    for (const written of Object.keys(writes ?? {})) {
      const [kind = ''] = written.split('/')
      const problem = this.#kinds.has(kind) ? undefined : this.#kinds.find(kind, undefined, [])
      if (problem && 'code' in problem) this.#report([...path, written], problem, 'key')
    }
    return writes
  }

  #action(verb: (typeof ACTIONS)[number], step: JsonObject, path: JsonPath): Action | undefined {
    const at = [...path, verb]
    const items = listAt(step[verb], at)
    switch (verb) {
      case 'patch':
        return this.#patch(step.patch as JsonObject, at)
      case 'create':
        return { verb, objects: items.flatMap(([item, place]) => this.#object(item, place)) }
      case 'delete':
        return { verb, targets: items.flatMap(([item, place]) => this.#target(item as JsonObject, place)) }
      case 'advance': {
        const milliseconds = this.#duration(String(step.advance), at)
        return milliseconds === undefined ? undefined : { verb, milliseconds }
      }
      case 'restart':
        return { verb, how: step.restart as Ending }
      case 'fail':
        return { verb, faults: items.flatMap(([item, place]) => this.#fault(item as JsonObject, place)) }
    }
  }

  #patch(value: JsonObject, path: JsonPath): Action | undefined {
    const [target] = this.#target(value, path)
    if (!target) return undefined
    const body = fieldsOf(value)
    this.#warnOfUnknown(body, target.gvk, path)
    return { verb: 'patch', target, body }
  }

  /** A server drops such a field without a word. */
  #warnOfUnknown(object: JsonObject, gvk: Gvk, path: JsonPath): void {
    const schema = this.#kinds.of(gvk)?.schema
    for (const unknown of schema ? unknownFieldsOf(object, schema) : [])
      this.#reportUnknown(unknown, `${gvk.kind} does not have: a server drops it`, path)
  }

  /** An expectation of such a field says nothing of the role: it never holds, or always. */
  #warnOfUnknownExpected(fields: JsonObject, gvk: Gvk, path: JsonPath): void {
    const schema = this.#kinds.of(gvk)?.schema
    for (const unknown of schema ? unknownExpectations(fields, schema) : [])
      this.#reportUnknown(unknown, `${gvk.kind} does not have: it is always absent`, path)
  }

  #reportUnknown({ field, path, hint }: UnknownField, lack: string, start: JsonPath): void {
    const message = `\`${field}\` is a field that the schema of ${lack}`
    this.#report([...start, ...path], { severity: 'warning', code: 'RB1609', message, hint }, 'key')
  }

  #duration(text: string, path: JsonPath): number | undefined {
    const milliseconds = parseDuration(text)
    if (milliseconds !== undefined && milliseconds <= LONGEST) return milliseconds
    this.#report(path, { code: 'RB1601', message: 'must be a duration up to 1000h such as 30s, 10m or 1h30m' })
    return undefined
  }

  #fault({ kind, apiVersion, times, ...how }: JsonObject, path: JsonPath): readonly Fault[] {
    const rest = { ...(how as Pick<Fault, 'verb' | 'code' | 'drop'>), times: Number(times ?? 1) }
    if (kind === undefined) return [rest]
    const gvk = this.#kind({ kind, apiVersion }, path)
    return gvk ? [{ ...rest, gvk }] : []
  }

  #expectation(value: JsonObject, path: JsonPath): readonly Expectation[] {
    const { labels: _labels, ...fields } = fieldsOf(value)
    this.#checkMatchers(fields, path)
    const found = this.#search(value, path)
    for (const { gvk } of found) this.#warnOfUnknownExpected(fields, gvk, path)
    return found.map((search) => ({ ...search, fields }))
  }

  #target(value: JsonObject, path: JsonPath): readonly Target[] {
    const gvk = this.#kind(value, path)
    return gvk ? [{ path, gvk, name: String(value.name), namespace: value.namespace as string | undefined }] : []
  }

  #search(value: JsonObject, path: JsonPath): readonly Search[] {
    const gvk = this.#kind(value, path)
    if (!gvk) return []
    const { name, labels, namespace } = value
    this.#checkMatchers(name, [...path, 'name'])
    this.#checkMatchers(labels, [...path, 'labels'])
    const reason = gvk.kind === 'Event' ? value.reason : undefined
    return [{ path, gvk, ...({ name, labels, reason, namespace } as Pick<Search, 'name' | 'labels'>) }]
  }

  #kind({ kind, apiVersion }: JsonObject, path: JsonPath): Gvk | undefined {
    const found = this.#kinds.find(String(kind), apiVersion as string | undefined, this.#nearby)
    if (!('code' in found)) return found
    this.#report([...path, 'kind'], found)
    return undefined
  }

  #checkMatchers(value: JsonValue | undefined, path: JsonPath): void {
    const matcher = matcherOf(value)
    if (matcher?.kind === 'matches') this.#checkRegex(matcher.source, [...path, 'matches'])
    if (matcher !== undefined) return
    const problem = noMatcher(value)
    if (problem !== undefined) this.#report(path, problem)
    if (isJsonArray(value)) for (const [index, item] of value.entries()) this.#checkMatchers(item, [...path, index])
    if (isJsonObject(value)) for (const [key, item] of Object.entries(value)) this.#checkMatchers(item, [...path, key])
  }

  #checkRegex(source: string, path: JsonPath): void {
    try {
      compileRegex(source, '')
    } catch {
      const message = 'this is not a regular expression that runs in linear time'
      this.#report(path, { code: 'RB1605', message, hint: 'look-around and back-references are not in the language' })
    }
  }

  #report(path: JsonPath, problem: Problem, at?: 'key'): void {
    this.found.push(diagnosticAt(this.#document.locate(path, at), problem))
  }
}

/** A map with the key of a matcher alone that is none. */
function noMatcher(value: JsonValue | undefined): Problem | undefined {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return undefined
  const hint = 'a field of that name is expected by `{equals: …}` around its map'
  if (value.matches !== undefined)
    return { code: 'RB1607', message: '`matches` takes a regular expression as text', hint }
  return value.absent === undefined ? undefined : { code: 'RB1607', message: '`absent` takes nothing but true', hint }
}

/** One that is whole enough to name a kind. */
function isCrd({ kind, spec }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition' && isJsonObject(spec) && isJsonObject(spec.names)
}

const LONGEST = 1000 * 3_600_000

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : []
}

/** One or more values, each with its place. */
function listAt(value: JsonValue | undefined, path: JsonPath): readonly (readonly [JsonValue, JsonPath])[] {
  if (isJsonArray(value)) return value.map((item, index) => [item, [...path, index]] as const)
  return value === undefined ? [] : [[value, path]]
}

/** What stands beside the name of an object. */
function fieldsOf({
  apiVersion: _version,
  kind: _kind,
  name: _name,
  namespace: _namespace,
  ...rest
}: JsonObject): JsonObject {
  return rest
}
