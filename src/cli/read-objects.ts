import { isJsonObject } from '../base/json.ts'
import type { KubeObject } from '../kube/object.ts'
import type { Diagnostic } from '../yaml/diagnostic.ts'
