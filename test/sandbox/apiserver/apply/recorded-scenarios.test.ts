import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { isJsonObject, type JsonValue } from '../../../../src/core/base/json.ts'
import type { KubeObject, ManagedFieldsEntry } from '../../../../src/core/kube/object.ts'
import { crdSchemas } from '../../../../src/core/schema/crd-schemas.ts'
import { applyDefaults } from '../../../../src/core/schema/default.ts'
import { causeOf } from '../../../../src/core/schema/field-error.ts'
import { FieldSet } from '../../../../src/core/schema/field-set.ts'
import { prune } from '../../../../src/core/schema/prune.ts'
import type { Schema } from '../../../../src/core/schema/schema.ts'
import { validate } from '../../../../src/core/schema/validate.ts'
import { conflictCauses, conflictMessage } from '../../../../src/sandbox/apiserver/apply/field-conflict.ts'
import { applyPatch, trackUpdate } from '../../../../src/sandbox/apiserver/apply/server-side-apply.ts'
import { PatchError } from '../../../../src/sandbox/apiserver/patch/patch-error.ts'
import { builtinSchema, objectMetaSchema } from '../../../core/schema/schemas.ts'
import { KINDS, type RecordedScenario, type RecordedStep, readRecorded } from './scenario.ts'

const WIDGET = crdSchemas(
  JSON.parse(readFileSync(new URL('widget-crd.json', import.meta.url), 'utf8')),
  objectMetaSchema(),
).get('v1')

/** Fields that an endpoint ignores. */
const RESET: { readonly [subresource: string]: FieldSet } = {
  '': FieldSet.ofFields([['status']]),
  status: FieldSet.ofFields([['spec'], ['metadata']]),
}

for (const file of ['recorded-scenarios.generated.json', 'recorded-random.generated.json']) {
  describe(`server-side apply answers as the real server did (${file})`, () => {
    for (const scenario of readRecorded(file)) {
      it(`${scenario.name} (${scenario.kind})`, () => replay(scenario))
    }
  })
}

/** Each step starts from what the real server stored before it. */
function replay(scenario: RecordedScenario): void {
  let live: KubeObject | undefined
  for (const [index, step] of scenario.steps.entries()) {
    const where = `step ${index + 1}, ${step.verb ?? 'apply'} by ${step.manager}`
    if (step.verb === undefined || step.verb === 'apply') checkApply(scenario, step, live, where)
    else if (step.object !== undefined) checkUpdate(scenario, step, live, where)
    live = step.object ?? live
  }
}

function inputOf({ kind }: RecordedScenario, step: RecordedStep, live: KubeObject | undefined) {
  const { apiVersion } = KINDS[kind]
  const schema: Schema | undefined = kind === 'Widget' ? WIDGET : builtinSchema(apiVersion, kind)
  const subresource = step.subresource ?? ''
  const reset = kind === 'ConfigMap' || kind === 'PodTemplate' ? undefined : RESET[subresource]
  return { live, manager: step.manager, subresource, schema, apiVersion, now: newestTime(step), resetFields: reset }
}

/** When the server handled the step. */
function newestTime({ object }: RecordedStep): string {
  const times = (object?.metadata.managedFields ?? []).map(({ time }) => time ?? '')
  return times.sort().at(-1) ?? '2026-01-01T00:00:00Z'
}

function checkApply(scenario: RecordedScenario, step: RecordedStep, live: KubeObject | undefined, where: string): void {
  const input = inputOf(scenario, step, live)
  const applied = step.body as KubeObject
  const apply = () => applyPatch({ ...input, applied, force: step.force ?? false })
  if (step.refusal !== undefined && step.refusal.status !== 409 && step.refusal.status !== 422) {
    expect(apply, where).to.throw(PatchError).with.property('message', step.refusal.message)
    return
  }
  const result = apply()
  if (step.refusal?.status === 409) checkConflict(step, result.conflicts ?? [], where)
  else if (step.refusal !== undefined) checkInvalid(step, result.object, input.schema, where)
  else checkApplied(scenario, step, result.object, where)
}

function checkConflict(step: RecordedStep, conflicts: Parameters<typeof conflictMessage>[0], where: string): void {
  expect(conflictMessage(conflicts), where).to.equal(step.refusal?.message)
  expect(conflictCauses(conflicts), where).to.have.deep.members([...(step.refusal?.causes ?? [])])
}

function checkInvalid(
  step: RecordedStep,
  object: KubeObject | undefined,
  schema: Schema | undefined,
  where: string,
): void {
  const errors = validate(applyDefaults(object as JsonValue, schema ?? {}), schema ?? {})
  expect(errors.map(causeOf), where).to.have.deep.members([...(step.refusal?.causes ?? [])])
}

function checkApplied(
  scenario: RecordedScenario,
  step: RecordedStep,
  object: KubeObject | undefined,
  where: string,
): void {
  expect(entriesOf(object), where).to.deep.equal(entriesOf(step.object))
  const ours = withoutEmpty(withoutEntries(object))
  const theirs = withoutEmpty(withoutEntries(step.object))
  if (step.subresource === 'status') {
    expect(object?.status, where).to.deep.equal(step.object?.status)
  } else if (scenario.kind === 'Widget') {
    const { value } = prune(withoutEntries(object) ?? null, WIDGET ?? {})
    const defaulted = withoutEmpty(applyDefaults(value, WIDGET ?? {}))
    expect(ignoring(defaulted), where).to.deep.equal(ignoring(theirs))
  } else expectPart(ours, theirs, where)
}

function checkUpdate(
  scenario: RecordedScenario,
  step: RecordedStep,
  live: KubeObject | undefined,
  where: string,
): void {
  const updated = structuredClone(step.object) as {
    metadata: { managedFields?: unknown; uid?: unknown }
    spec?: object
  }
  const sent = (step.set?.metadata as { managedFields?: unknown } | undefined)?.managedFields
  updated.metadata.managedFields = sent ?? live?.metadata.managedFields
  if (live === undefined) {
    for (const field of KINDS[scenario.kind].allocated) Reflect.deleteProperty(updated.spec ?? {}, field)
  }
  const tracked = trackUpdate({ ...inputOf(scenario, step, live), updated: updated as KubeObject })
  expect(entriesOf(tracked), where).to.deep.equal(entriesOf(step.object))
}

/** Entries as text, so that the order of fields counts; sorted for custom resources, which the server prints so. */
function entriesOf(object: KubeObject | undefined): readonly (ManagedFieldsEntry & { fields: string })[] {
  const custom = object?.kind === 'Widget'
  return (object?.metadata.managedFields ?? []).map((entry) => ({
    ...entry,
    fields: custom ? '' : JSON.stringify(entry.fieldsV1),
  }))
}

function withoutEntries(object: KubeObject | undefined): JsonValue | undefined {
  if (object === undefined) return undefined
  const { managedFields: _entries, ...metadata } = object.metadata
  return { ...object, metadata } as JsonValue
}

/** Without nulls and other zero values, which types of Go may leave out. */
function withoutEmpty(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item) ?? {})
  if (!isJsonObject(value)) return value
  const kept = Object.entries(value).map(([name, inner]) => [name, withoutEmpty(inner)] as const)
  return Object.fromEntries(kept.filter(([, inner]) => !isEmpty(inner)))
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === '' || value === false || value === 0) return true
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}

/** What the server sets by itself. */
function ignoring(value: JsonValue | undefined): JsonValue {
  const {
    metadata,
    status: _status,
    ...rest
  } = (value ?? {}) as { metadata?: { [field: string]: JsonValue }; status?: JsonValue }
  const { uid, resourceVersion, creationTimestamp, generation, namespace, ...kept } = metadata ?? {}
  return { ...rest, metadata: kept } as JsonValue
}

/** Everything of `part` is in `whole`; lists have the same items in the same order. */
function expectPart(part: JsonValue | undefined, whole: JsonValue | undefined, where: string): void {
  if (Array.isArray(part)) {
    expect(whole, where).to.be.an('array').with.length(part.length)
    for (const [index, item] of part.entries()) expectPart(item, (whole as JsonValue[])[index], `${where}[${index}]`)
  } else if (isJsonObject(part)) {
    for (const [name, inner] of Object.entries(part)) {
      if (name === 'resourceVersion' || name === 'generation') continue
      expectPart(inner, isJsonObject(whole) ? whole[name] : undefined, `${where}.${name}`)
    }
  } else expect(whole, where).to.deep.equal(part)
}
