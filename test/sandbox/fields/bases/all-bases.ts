import { ACCESS } from './access.ts'
import type { Base } from './base.ts'
import { NETWORK } from './network.ts'
import { OTHERS } from './others.ts'
import { POLICIES } from './policies.ts'
import { STORAGE } from './storage.ts'
import { WORKLOADS } from './workloads.ts'

export const ALL_BASES: readonly Base[] = [...ACCESS, ...NETWORK, ...OTHERS, ...POLICIES, ...STORAGE, ...WORKLOADS]
