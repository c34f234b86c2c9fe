import { containerPorts } from './container-ports.ts'
import { governingService } from './governing-service.ts'
import { keysOfConfiguration } from './keys-of-configuration.ts'
import { misspeltNames } from './misspelt-names.ts'
import type { ReferenceRule } from './reference-rule.ts'
import { selectedPods } from './selected-pods.ts'
import { servicePorts } from './service-ports.ts'

/** All of them. */
export const REFERENCE_RULES: readonly ReferenceRule[] = [
  containerPorts,
  governingService,
  keysOfConfiguration,
  misspeltNames,
  selectedPods,
  servicePorts,
]
