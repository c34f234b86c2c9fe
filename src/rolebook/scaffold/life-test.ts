import type { JsonObject } from '../../core/base/json.ts'
import { apiVersionOf, type Gvk } from '../../core/kube/group-version-kind.ts'
import type { KubeObject } from '../../core/kube/object.ts'
import { printFlowYaml, printYaml } from '../../core/yaml/print-yaml.ts'

export interface LifeTest {
  readonly gvk: Gvk
  /** Of the resource in the sample. */
  readonly name: string
  readonly namespace: string | undefined
  /** Where the sample lies, as seen from the folder of the role. */
  readonly sample: string
  /** The objects that exist before it: namespaces, CRDs. */
  readonly given: readonly KubeObject[]
  /** What the role makes of it. */
  readonly made: readonly KubeObject[]
  /** Of its condition `Ready`; absent: it has none. */
  readonly ready: string | undefined
}

/** A test that follows a resource from its creation to its rest. */
export function lifeTest({ gvk, name, namespace, sample, given, made, ready }: LifeTest): string {
  const resource = nameOf({
    apiVersion: apiVersionOf(gvk),
    kind: gvk.kind,
    metadata: { name, namespace },
  } as KubeObject)
  const status = ready === undefined ? {} : { status: { conditions: [{ type: 'Ready', status: ready }] } }
  const expected: readonly JsonObject[] = [...made.map(nameOf), { ...resource, ...status }]
  const lines = expected.map((object) => `      - ${printFlowYaml(object)}\n`).join('')
  return `# A ${gvk.kind} from its creation to its rest.
${printYaml([{ given: [...given, `../${sample}`] }])}steps:
  - name: creation
    expect:
${lines}
  - name: at rest
    advance: 10h
    writes: {}
`
}

function nameOf({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject): JsonObject {
  return { apiVersion, kind, name, ...(namespace !== undefined && namespace !== 'default' && { namespace }) }
}
