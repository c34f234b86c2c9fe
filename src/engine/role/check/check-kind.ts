import type { JsonPath } from '../../../core/base/json.ts'
import { didYouMean } from '../../../core/base/nearest-name.ts'
import { apiVersionOf, formatGvk, type Gvk } from '../../../core/kube/group-version-kind.ts'
import type { KindSchemas } from '../kind-schemas.ts'
import type { TypedTexts } from './typed-texts.ts'

/** Reports a kind that the schemas do not know. A newer server may know more: an error is what looks like a slip. */
export function checkKind(
  gvk: Gvk | undefined,
  body: JsonPath,
  { schemas, texts }: { readonly schemas: KindSchemas; readonly texts: TypedTexts },
): void {
  // An expression is reported by the task.
  if (gvk === undefined || formatGvk(gvk).includes('${') || schemas.get(gvk) !== undefined) return
  const [apiVersion, versions] = [apiVersionOf(gvk), schemas.versionsOf(gvk.group)]
  const kinds = schemas.kindsOf(apiVersion)
  if (kinds !== undefined && !kinds.includes(gvk.kind)) {
    const hint = didYouMean(gvk.kind, kinds)
    const severity = hint === undefined ? 'warning' : 'error'
    const message = `${apiVersion} has no kind ${gvk.kind}`
    texts.report([...body, 'kind'], { severity, code: 'RB1132', message, hint })
  } else if (kinds === undefined && versions !== undefined) {
    const message = `the group ${gvk.group} has no version ${gvk.version}`
    const hint = `there is ${versions.join(' and ')}`
    texts.report([...body, 'apiVersion'], { severity: 'warning', code: 'RB1132', message, hint })
  }
}
