import type { Clock } from '../../core/base/clock.ts'
import { explain } from '../../core/base/coded-error.ts'
import { isJsonObject, type JsonObject } from '../../core/base/json.ts'
import type { Logger } from '../../core/base/logger.ts'
import type { KubeClient } from '../../core/kube/client.ts'
import { formatGvk, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { ResourceMapper } from '../../core/kube/resource-mapper.ts'
import type { Project } from '../../engine/operator/project.ts'
import type { InstallationSettings } from '../generate/installation-rights.ts'
import { type KindName, type KindNames, kindsOf } from '../generate/kind-names.ts'
import { neededRights } from '../generate/needed-rights.ts'
import { rulesOf } from '../generate/rbac.ts'
import type { Right } from '../generate/right.ts'

export interface CheckRightsOptions {
  /** A question changes nothing: not guarded by leadership, nor a dry run. */
  readonly client: Pick<KubeClient, 'create'>
  readonly mapper: ResourceMapper
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
  readonly installation: InstallationSettings
  /** Further rights that are needed. */
  readonly further?: readonly Right[] | undefined
}

/** Milliseconds until a server that could not be asked is asked again. */
const RETRY = 30_000
/** Questions under way. */
const AT_ONCE = 8

/**
 * Asks the API server about every right that a project needs, and says all that are missing at once, with the rules that would
 * grant them. Nothing fails because of it. A server that does not answer is asked again.
 */
export async function checkRights(project: Project, options: CheckRightsOptions): Promise<void> {
  const { clock, logger, signal } = options
  while (!signal.aborted) {
    try {
      report(await missingRights(await rightsFor(project, options), options), logger)
      return
    } catch (error) {
      if (signal.aborted) return
      logger.debug('cannot ask the API server which rights there are', { error: explain(error) })
    }
    await clock.sleep(RETRY, signal)
  }
}

async function rightsFor(project: Project, options: CheckRightsOptions): Promise<readonly Right[]> {
  const names = await servedNames(project, options)
  return [...neededRights(project, { ...options.installation, names }), ...(options.further ?? [])]
}

/** Kinds that are not served have no rights yet; that they are not there is said elsewhere. */
async function servedNames(project: Project, { mapper }: CheckRightsOptions): Promise<KindNames> {
  const found = new Map<string, KindName>()
  await Promise.all(
    kindsOf(project).map(async (gvk) => {
      const mapping = await mapper.mappingFor(gvk).catch(() => undefined)
      if (mapping) found.set(formatGvk(gvk), mapping)
    }),
  )
  return (gvk: Gvk) => found.get(formatGvk(gvk))
}

async function missingRights(rights: readonly Right[], options: CheckRightsOptions): Promise<readonly Right[]> {
  const missing: Right[] = []
  const left = [...rights]
  const ask = async (): Promise<void> => {
    for (let right = left.shift(); right; right = left.shift())
      if (!(await isAllowed(right, options))) missing.push(right)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, ask))
  return rights.filter((right) => missing.includes(right))
}

async function isAllowed(
  { resource: path, ...right }: Right,
  { client, signal }: CheckRightsOptions,
): Promise<boolean> {
  const [resource, subresource] = path.split('/')
  const { status } = await client.create(
    {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: { resourceAttributes: { ...right, resource, ...(subresource && { subresource }) } },
    },
    // It is never stored: a server that counts writes need not count it.
    { fieldManager: 'rolebook', dryRun: true, signal },
  )
  return isJsonObject(status) && status.allowed === true
}

function report(missing: readonly Right[], logger: Logger): void {
  if (missing.length === 0) {
    logger.debug('all rights that are needed are there')
    return
  }
  const namespaces = [...new Set(missing.map(({ namespace }) => namespace))]
  const grant = namespaces.map((namespace): JsonObject => {
    const rules = rulesOf(missing.filter((right) => right.namespace === namespace))
    return { ...(namespace !== undefined && { namespace }), rules }
  })
  const message = 'rights are missing: what needs them will fail until these rules are granted'
  logger.warn(message, { count: missing.length, grant })
}
