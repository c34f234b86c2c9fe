import type { JsonObject, JsonValue } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'

const BATCH = '/apis/batch/v1/namespaces/{ns}'

const podSpec = { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] }
const template: JsonObject = { spec: podSpec }
const indexed = { completionMode: 'Indexed', completions: 5 }

const tried = (name: string, spec: JsonObject, job = 'j'): Step => ({
  name,
  method: 'POST',
  path: `${BATCH}/jobs?dryRun=All`,
  // The labels are made of the uid, and so are what a good Job is answered with.
  headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' },
  body: { metadata: { name: job, labels: { own: 'yes' } }, spec: { template, ...spec } },
})
const failure = (name: string, ...rules: JsonValue[]): Step => tried(name, { podFailurePolicy: { rules } })
const exits = (values: JsonValue, more: JsonObject = {}): JsonObject => ({
  action: 'FailJob',
  onExitCodes: { operator: 'In', values, ...more },
})
const success = (name: string, rules: JsonValue, more: JsonObject = {}): Step =>
  tried(name, { ...indexed, successPolicy: { rules }, ...more })
const indexes = (name: string, succeededIndexes: string): Step => success(`indexes ${name}`, [{ succeededIndexes }])
const condition = (more: JsonObject): JsonObject => ({ action: 'Ignore', onPodConditions: [more] })
const ofCronJob = (name: string, spec: JsonObject): Step => ({
  name,
  method: 'POST',
  path: `${BATCH}/cronjobs?dryRun=All`,
  body: {
    metadata: { name: 'c' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template, ...spec } } },
  },
})

export const steps: readonly Step[] = [
  tried('a limit for each index', { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 5 }),
  tried('a limit for each index without indexes', { backoffLimitPerIndex: 1 }),
  tried('a negative limit for each index', { ...indexed, backoffLimitPerIndex: -1, maxFailedIndexes: -1 }),
  tried('failed indexes without a limit', { ...indexed, maxFailedIndexes: 1 }),
  tried('failed indexes without indexes', { maxFailedIndexes: 1 }),
  tried('more failed indexes than completions', { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 6 }),
  tried('many completions', {
    ...indexed,
    completions: 100_001,
    parallelism: 10_001,
    backoffLimitPerIndex: 1,
  }),
  tried('many failed indexes', {
    ...indexed,
    completions: 200_000,
    parallelism: 100_001,
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 100_001,
  }),
  tried('much in parallel', { ...indexed, parallelism: 100_001 }),
  tried('a name too long for its indexes', { ...indexed, completions: 11 }, 'n'.repeat(61)),
  tried('a name just short enough for its indexes', { ...indexed, completions: 10 }, 'n'.repeat(61)),
  tried('a name with dots, for indexes', { ...indexed, completions: 10 }, 'a.b'),
  tried('another manager', { managedBy: 'example.com/one' }),
  tried('a manager without a domain', { managedBy: 'one' }),
  tried('no manager', { managedBy: '' }),
  tried('a manager without a path', { managedBy: 'example.com/' }),
  tried('a manager in capitals and spaces', { managedBy: 'Example.com/a b' }),
  tried('a long manager', { managedBy: `example.com/${'x'.repeat(52)}` }),
  tried('replaced when failed', { podReplacementPolicy: 'Failed' }),
  tried('replaced never', { podReplacementPolicy: 'Never' }),
  tried('replaced while terminating, with a failure policy', {
    podReplacementPolicy: 'TerminatingOrFailed',
    podFailurePolicy: { rules: [] },
  }),
  failure('no failure rules'),
  failure('a good failure rule', exits([1, 2], { containerName: 'a' })),
  failure('a failure rule with neither', { action: 'FailJob' }),
  failure('a failure rule with both', { ...exits([1]), onPodConditions: [{ type: 'A', status: 'True' }] }),
  failure('a failure rule without an action', { onPodConditions: [{ type: 'A', status: 'True' }] }),
  failure('a failure rule of another action', { ...exits([1]), action: 'Fail' }),
  failure('a failure rule for an index', { ...exits([1]), action: 'FailIndex' }),
  tried('a failure rule for an index that has a limit', {
    ...indexed,
    backoffLimitPerIndex: 1,
    podFailurePolicy: { rules: [{ ...exits([1]), action: 'FailIndex' }] },
  }),
  failure('no exit codes', exits([])),
  failure('exit codes of no values', { action: 'FailJob', onExitCodes: { operator: 'In' } }),
  failure('an exit code of 0', exits([0, 1])),
  failure('an exit code of 0 that it is not', exits([0, 1], { operator: 'NotIn' })),
  failure('exit codes out of order', exits([2, 1])),
  failure('exit codes twice', exits([1, 1])),
  failure('another operator', exits([1], { operator: 'Is' })),
  failure('no operator', { action: 'Count', onExitCodes: { operator: '', values: [1] } }),
  failure('a container that is not there', exits([1], { containerName: 'b' })),
  failure('256 exit codes', exits([...Array(256).keys()].map((code) => code + 1))),
  failure('a condition', condition({ type: 'DisruptionTarget' })),
  failure('a condition of another status', condition({ type: 'DisruptionTarget', status: 'Maybe' })),
  failure('a condition without a status', condition({ type: 'DisruptionTarget', status: '' })),
  failure('a condition without a type', condition({ type: '', status: 'True' })),
  failure('a condition of a bad type', condition({ type: 'a b', status: 'True' })),
  failure('21 failure rules', ...Array(21).fill(exits([1]))),
  failure('21 conditions', { action: 'Ignore', onPodConditions: Array(21).fill({ type: 'A', status: 'True' }) }),
  tried('a failure policy for pods that restart', {
    podFailurePolicy: { rules: [exits([1])] },
    template: { spec: { ...podSpec, restartPolicy: 'OnFailure' } },
  }),
  success('no success rules', []),
  success('a success rule with nothing', [{}]),
  success('21 success rules', Array(21).fill({ succeededCount: 1 })),
  success('a count', [{ succeededCount: 5 }]),
  success('a count beyond completions', [{ succeededCount: 6 }]),
  success('a negative count', [{ succeededCount: -1 }]),
  success('a count beyond the indexes', [{ succeededIndexes: '0-1,3', succeededCount: 4 }]),
  tried('a success policy without indexes', { successPolicy: { rules: [{ succeededCount: 1 }] } }),
  tried('a success policy without completions', {
    completionMode: 'Indexed',
    parallelism: 1,
    successPolicy: { rules: [] },
  }),
  indexes('one after the other', '0,2-4'),
  indexes('none', ''),
  indexes('backwards', '3-1'),
  indexes('out of order', '2,1'),
  indexes('twice', '1,1'),
  indexes('within an interval', '0-2,2'),
  indexes('beyond completions', '5'),
  indexes('beyond completions at the end', '1-5'),
  indexes('of three parts', '1-2-3'),
  indexes('of letters', '1,a'),
  indexes('of letters at the end', '1-a'),
  indexes('with nothing between commas', '1,,2'),
  indexes('with a space', '1, 2'),
  indexes('with signs', '+1,-2'),
  indexes('of 64 KiB', '1'.repeat(64 * 1024 + 1)),
  ofCronJob('a condition without a status in a CronJob', {
    podFailurePolicy: { rules: [condition({ type: 'A' })] },
  }),
  ofCronJob('the same in a CronJob', {
    backoffLimitPerIndex: 1,
    podReplacementPolicy: 'x',
    selector: {},
    manualSelector: true,
  }),
]
