import { configMap } from './config-map.ts'
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
