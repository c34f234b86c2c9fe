import { ACCESS } from './access.ts'
import type { Base } from './base.ts'
import { DEVICES } from './devices.ts'
import { NETWORK } from './network.ts'
import { OTHERS } from './others.ts'
import { POLICIES } from './policies.ts'
import { SERVING } from './serving.ts'
import { STORAGE } from './storage.ts'
import { WORKLOADS } from './workloads.ts'

export const ALL_BASES: readonly Base[] = [
  ...ACCESS,
  ...DEVICES,
  ...NETWORK,
  ...OTHERS,
  ...POLICIES,
  ...SERVING,
  ...STORAGE,
  ...WORKLOADS,
]
