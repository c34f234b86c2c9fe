import type { JsonPath } from '../../../core/base/json.ts'
import { didYouMean, nearestName } from '../../../core/base/nearest-name.ts'
import { apiVersionOf, formatGvk, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { Problem } from '../../../core/yaml/diagnostic.ts'
import type { KindSchemas } from '../kind-schemas.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Reports a kind that no server of today has. What a newer one may have is a warning at most; the kind of an unknown CRD is not reported. */
export function checkKind(
  gvk: Gvk | undefined,
  body: JsonPath,
  { schemas, texts }: { readonly schemas: KindSchemas; readonly texts: TypedTexts },
): void {
  // An expression is reported by the task.
  if (gvk === undefined || formatGvk(gvk).includes('${') || schemas.get(gvk) !== undefined) return
  const found = schemas.kindsOf(apiVersionOf(gvk)) ? kindProblem(gvk, schemas) : versionProblem(gvk, schemas)
  if (found) texts.report([...body, found.field], { code: 'RB1132', ...found.problem })
}

interface Found {
  readonly field: 'apiVersion' | 'kind'
  readonly problem: Omit<Problem, 'code'>
}

/** Of a version that is served. */
function kindProblem(gvk: Gvk, schemas: KindSchemas): Found {
  const apiVersion = apiVersionOf(gvk)
  const message = `${apiVersion} has no kind ${gvk.kind}`
  const elsewhere = schemas.versionsWith(gvk.kind)
  if (elsewhere.length > 0) return { field: 'apiVersion', problem: { message, hint: writeOne(elsewhere) } }
  const hint = didYouMean(gvk.kind, schemas.kindsOf(apiVersion) ?? [])
  return { field: 'kind', problem: { severity: hint === undefined ? 'warning' : 'error', message, hint } }
}

/** Of a version that is not served. Groups without a dot are those of Kubernetes alone. */
function versionProblem(gvk: Gvk, schemas: KindSchemas): Found | undefined {
  const [apiVersion, versions] = [apiVersionOf(gvk), schemas.versionsOf(gvk.group)]
  const elsewhere = schemas.versionsWith(gvk.kind)
  if (versions !== undefined) {
    const message = `the group ${gvk.group} has no version ${gvk.version}`
    const hint = elsewhere.length > 0 ? writeOne(elsewhere) : `there is ${versions.join(' and ')}`
    return { field: 'apiVersion', problem: { message, hint } }
  }
  if (!schemas.isWhole || gvk.group === '' || (gvk.group.includes('.') && !isAlmostKnown(apiVersion, elsewhere)))
    return undefined
  const hint = elsewhere.length > 0 ? writeOne(elsewhere) : undefined
  return { field: 'apiVersion', problem: { message: `no server has ${apiVersion}`, hint } }
}

/** Whether it looks like a slip for a version that has the kind: `networking.k8.io/v1`. */
function isAlmostKnown(apiVersion: string, elsewhere: readonly string[]): boolean {
  return elsewhere.some(
    (one) => one.includes('.') && nearestName(apiVersion, [one]) !== undefined && isAlmostAsLong(apiVersion, one),
  )
}

function isAlmostAsLong(left: string, right: string): boolean {
  return Math.abs(left.length - right.length) <= 2
}

function writeOne(apiVersions: readonly string[]): string {
  return `write \`apiVersion: ${apiVersions.join('` or `')}\``
}
