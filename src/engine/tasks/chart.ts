import type { JsonObject, JsonValue } from '../../core/base/json.ts'
import { formatGroupKind, type Gvk, gvkOf, parseGvk } from '../../core/kube/group-version-kind.ts'
import type { Template } from '../expression/compile-template.ts'
import { ANY } from '../expression/types/type.ts'
import type { CompileContext, TaskKind } from '../role/task-kind.ts'
import type { TaskOutcome } from '../role/task-outcome.ts'
import { type CompiledChart, runChart } from './chart-run.ts'
import { grantsOf } from './grants-of.ts'

const KINDS = '^([a-z0-9.-]+/)?v[a-z0-9]+/[A-Z][A-Za-z0-9]*$'

/** Renders a Helm chart, and makes its objects be there. */
export const chart: TaskKind<CompiledChart> = {
  name: 'chart',
  doc: 'Renders a Helm chart of the role; its objects exist, and the resource owns them.',
  example: `- name: Everything in the chart
  chart:
    path: charts/web
    kinds: [apps/v1/Deployment, v1/Service]
  register: release
- name: What is installed
  status:
    version: \${$release.chartVersion}
`,
  exampleFiles: {
    'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  },
  schema: {
    type: 'object',
    required: ['path', 'kinds'],
    additionalProperties: false,
    properties: {
      path: {
        description: 'The path of the chart below the folder of the role, in `charts/`: a folder or a `.tgz`.',
        type: 'string',
      },
      kinds: {
        description: 'The kinds that the chart may make, each as `apps/v1/Deployment` or `v1/Service`.',
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', pattern: KINDS },
      },
      lookups: {
        description:
          'The kinds that its templates may `lookup`. For others, and where nothing may be read, they find nothing.',
        default: [],
        type: 'array',
        uniqueItems: true,
        items: { type: 'string', pattern: KINDS },
      },
      values: {
        description: "Values on top of the chart's own. Defaults to the spec of the resource.",
        type: ['object', 'string'],
      },
      releaseName: { description: 'The name of the release. Defaults to that of the resource.', type: 'string' },
      namespace: { description: "Where the chart is installed. Defaults to the resource's own.", type: 'string' },
    },
  },
  objectsIn: 'objects',
  foreignTemplates: 'everywhere',
  modifiers: ['register', 'readyWhen', 'waitReady', 'timeout', 'retain', 'drift'],

  compile(body, context) {
    const { kinds, lookups = [] } = body as { readonly kinds: readonly string[]; readonly lookups?: readonly string[] }
    return {
      source: context.chart('path'),
      kinds: kinds.map(parseGvk),
      lookups: lookups.map(parseGvk),
      values: partOf(body, 'values', context),
      releaseName: partOf(body, 'releaseName', context),
      namespace: partOf(body, 'namespace', context),
      retained: context.modifiers.retain,
    }
  },

  check(context) {
    // What the chart says of their objects is only known in a run.
    const { kinds } = context.body as { readonly kinds: readonly string[] }
    for (const [index, kind] of kinds.entries()) context.mayMake(parseGvk(kind), ['kinds', index])
    context.value()
    return ANY
  },

  run: (task, context): Promise<TaskOutcome> => runChart(task, context),

  permissions: ({ kinds, lookups, retained }) => [
    // What is random in a release, and how far its hooks have come.
    { gvk: SECRET, access: 'own' },
    ...kinds
      .filter((gvk) => formatGroupKind(gvk) !== 'Secret')
      .map((gvk) => ({ gvk, access: 'own', grants: grantsOf(gvk), ...(retained && { retained }) }) as const),
    ...lookups.map((gvk) => ({ gvk, access: 'read', listed: true }) as const),
  ],
}

const SECRET: Gvk = gvkOf({ apiVersion: 'v1', kind: 'Secret' })

function partOf(body: JsonValue, field: string, context: CompileContext): Template | undefined {
  if ((body as JsonObject)[field] === undefined) return undefined
  return context.template([field], { needsValue: () => field !== 'values' })
}
