import { apiVersionOf, type Gvk } from '../../kube/group-version-kind.ts'
import type { BuiltinSchemas } from '../../schema/builtin-schemas.ts'
import { columnsOf } from './common/columns.ts'
import { configMap } from './config-map.ts'
import { goDecoder } from './decode/go-decoder.ts'
import { deployment } from './deployment.ts'
import { endpointSlice } from './endpoint-slice.ts'
import { endpoints } from './endpoints.ts'
import { coreEvent, event } from './event.ts'
import type { KindRules } from './kind-rules.ts'
import { lease } from './lease.ts'
import { namespace } from './namespace.ts'
import { pod } from './pod.ts'
import { replicaSet } from './replica-set.ts'
import { secret } from './secret.ts'
import { service } from './service.ts'
import { serviceAccount } from './service-account.ts'

/** What the built-in kinds do on top of their schema. */
export const BUILTIN_KINDS: readonly KindRules[] = [
  configMap,
  coreEvent,
  deployment,
  endpointSlice,
  endpoints,
  event,
  lease,
  namespace,
  pod,
  replicaSet,
  secret,
  service,
  serviceAccount,
]

/** The rules of every kind that the schemas know, those without rules of their own included, with their decoders. */
export function builtinKinds(schemas: BuiltinSchemas): readonly KindRules[] {
  const own = new Map(BUILTIN_KINDS.map((rules) => [keyOf(rules.gvk), rules]))
  const kinds = new Map(
    schemas.resources().map(({ group, version, kind }) => [keyOf({ group, version, kind }), { group, version, kind }]),
  )
  return [...kinds].map(([key, gvk]) => {
    const schema = schemas.get(gvk)
    const rules: KindRules = own.get(key) ?? { gvk, columns: columnsOf(gvk) }
    return schema ? { ...rules, decode: goDecoder(schema) } : rules
  })
}

function keyOf(gvk: Gvk): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`
}
