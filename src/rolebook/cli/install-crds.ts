import type { Clock } from '../../core/base/clock.ts'
import { CodedError } from '../../core/base/coded-error.ts'
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEquals,
  printPath,
} from '../../core/base/json.ts'
import type { Logger } from '../../core/base/logger.ts'
import { conditionsOf, findCondition } from '../../core/kube/condition.ts'
import { gvkOf } from '../../core/kube/group-version-kind.ts'
import { type KubeObject, keyOf } from '../../core/kube/object.ts'
import type { Connection } from '../../core/kube-client/connect.ts'
import { narrowings } from '../../core/schema/narrowing.ts'

export interface InstallCrdsOptions {
  readonly connection: Pick<Connection, 'client' | 'mapper'>
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  /** Only says what would be done. Defaults to false. */
  readonly dryRun?: boolean | undefined
}

/** Who applies CRDs, as `managedFields` shows it. */
const FIELD_MANAGER = 'rolebook-crds'
/** Milliseconds between two looks, and how long the server may take to serve a kind. */
const LOOK_EVERY = 200
const PATIENCE = 30_000

/**
 * Applies CRDs and returns when their kinds are served. Before it applies the first one, it compares all of them with the
 * cluster: no CRD may remove a version or a field, nor refuse values that were valid before.
 *
 * @throws CodedError `NarrowingCrd`, `CrdNotEstablished`
 */
export async function installCrds(crds: readonly KubeObject[], options: InstallCrdsOptions): Promise<void> {
  const plans = await Promise.all(crds.map((crd) => planFor(crd, options)))
  const narrowing = plans.flatMap(({ crd, problems }) => problems.map((problem) => `${crd.metadata.name}: ${problem}`))
  if (narrowing.length > 0) {
    const remedy = 'apply the CRD yourself once no object needs that, or leave --install-crds out'
    const message = `cannot install CRDs, since existing objects could lose something (${remedy})`
    throw new CodedError('NarrowingCrd', [message, ...narrowing].join('\n  '))
  }
  for (const plan of plans) await install(plan, options)
  if (plans.some(({ isNew }) => isNew)) options.connection.mapper.refresh()
}

interface Plan {
  readonly crd: KubeObject
  readonly isNew: boolean
  readonly changes: boolean
  readonly problems: readonly string[]
}

async function planFor(crd: KubeObject, { connection, signal }: InstallCrdsOptions): Promise<Plan> {
  const { client } = connection
  const live = await client.get(gvkOf(crd), keyOf(crd), { signal })
  if (!live) return { crd, isNew: true, changes: true, problems: [] }
  // What others have applied stays: the server says what would come of it all.
  const next = await client.apply(crd, { fieldManager: FIELD_MANAGER, force: true, dryRun: true, signal })
  const changes = !jsonEquals(contentOf(live), contentOf(next))
  return { crd, isNew: false, changes, problems: changes ? problemsBetween(live, next) : [] }
}

function contentOf({ spec, metadata: { labels, annotations } }: KubeObject): JsonObject {
  return { spec, labels: labels as JsonValue, annotations: annotations as JsonValue }
}

async function install({ crd, isNew, changes }: Plan, options: InstallCrdsOptions): Promise<void> {
  const { connection, clock, logger, signal, dryRun = false } = options
  const { client } = connection
  const fields = { crd: crd.metadata.name }
  if (dryRun) {
    if (changes) logger.info(`dry run: would ${isNew ? 'install' : 'change'} a CRD`, fields)
    return
  }
  if (changes) {
    await client.apply(crd, { fieldManager: FIELD_MANAGER, force: true, signal })
    logger.info(isNew ? 'a CRD is installed' : 'a CRD is changed', fields)
  }
  const end = clock.monotonic() + PATIENCE
  for (;;) {
    const conditions = conditionsOf((await client.get(gvkOf(crd), keyOf(crd), { signal })) ?? crd)
    if (findCondition(conditions, 'Established')?.status === 'True') return
    const refused = findCondition(conditions, 'NamesAccepted')
    if (refused?.status === 'False') throw notEstablished(crd, refused.message ?? 'its names are taken')
    if (clock.monotonic() >= end) throw notEstablished(crd, 'the API server takes too long')
    await clock.sleep(LOOK_EVERY, signal)
    signal.throwIfAborted()
  }
}

function notEstablished(crd: KubeObject, cause: string): CodedError {
  return new CodedError('CrdNotEstablished', `cannot install CRD ${crd.metadata.name}: ${cause}`)
}

function problemsBetween(live: KubeObject, next: KubeObject): readonly string[] {
  const later = new Map(versionsOf(next).map((version) => [version.name, version]))
  return versionsOf(live)
    .filter(({ served }) => served === true)
    .flatMap((version) => {
      const now = later.get(version.name)
      if (now?.served !== true) return [`version ${String(version.name)} is not served any more`]
      return narrowings(schemaOf(version), schemaOf(now)).map(
        ({ path, problem }) => `${[String(version.name), printPath(path)].join(' ').trim()} ${problem}`,
      )
    })
}

function versionsOf({ spec }: KubeObject): readonly JsonObject[] {
  const versions = isJsonObject(spec) ? spec.versions : undefined
  return isJsonArray(versions) ? versions.filter(isJsonObject) : []
}

function schemaOf({ schema }: JsonObject): JsonValue | undefined {
  return isJsonObject(schema) ? schema.openAPIV3Schema : undefined
}
