import { chartCrdText } from '../scaffold/new-chart-role.ts'
import { type CommandOption, type Invocation, UsageError } from './command.ts'
import { readChart } from './read-chart.ts'
import { EXIT, type ExitCode } from './terminal.ts'

export const CHART_CRD_OPTIONS: readonly CommandOption[] = [
  {
    flags: '--from-chart <path>',
    description: 'crd: of a kind whose spec is the values of a Helm chart, and of no role',
  },
  { flags: '--group <group>', description: 'crd --from-chart: the API group of the kind' },
  { flags: '--version <version>', description: 'crd --from-chart: the version of the kind', default: 'v1alpha1' },
  { flags: '--kind <kind>', description: 'crd --from-chart: the kind' },
]

/** Prints the CRD of a kind whose spec is the values of a chart. */
export async function printChartCrd({ terminal, text, given }: Invocation): Promise<ExitCode> {
  const [group, kind] = [text('group'), text('kind')]
  if (group === undefined || kind === undefined) throw new UsageError('--from-chart: give --group and --kind, too')
  const { chart, comments } = await readChart(given('from-chart'))
  terminal.out(chartCrdText({ gvk: { group, version: given('version'), kind }, chart, comments }))
  return EXIT.ok
}
