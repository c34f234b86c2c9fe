import type { JsonObject } from '../../../../src/core/base/json.ts'
import type { Step } from '../exchange.ts'
import { ObjectSteps } from '../object-steps.ts'

const MAPS = '/api/v1/namespaces/{ns}/configmaps'
const TEMPLATES = '/api/v1/namespaces/{ns}/podtemplates'
const CRON_JOBS = '/apis/batch/v1/namespaces/{ns}/cronjobs'
const map = (label: string) => new ObjectSteps(label, MAPS, 'v1 ConfigMap')
const data = (...pairs: string[]): JsonObject => ({ data: Object.fromEntries(pairs.map((pair) => pair.split('='))) })

const one = map('one manager')
const many = map('many managers')
const appliers = map('appliers and updaters')
const shared = map('shared fields')
const force = map('force')
const names = map('odd names of managers')
const web = new ObjectSteps('containers', TEMPLATES, 'v1 PodTemplate')
const limited = new ObjectSteps('a defaulted number', CRON_JOBS, 'batch/v1 CronJob')

const container = (name: string, image: string, more: JsonObject = {}): JsonObject => ({ name, image, ...more })
const podsOf = (containers: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  template: { metadata: { labels: { app: 'x' } }, spec: { containers, ...more } },
})
const history = (successfulJobsHistoryLimit: number): JsonObject => ({ spec: { successfulJobsHistoryLimit } })
const idle: JsonObject = {
  spec: {
    schedule: '* * * * *',
    suspend: true,
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container('a', 'a:1')] } } } },
  },
}

const long = 'm'.repeat(128)
const odd = ['a b', 'ä', 'a"b', 'a\\b', '日本', long, `${long}x`, 'Contract', '-', '%00', 'a%0Ab', '%20']

export const steps: readonly Step[] = [
  one.create(data('a=1', 'b=1'), { query: 'fieldManager=tool' }),
  one.apply('another wants one field', 'alice', data('a=2')),
  one.apply('another wants two fields', 'alice', data('a=2', 'b=2')),
  one.apply('another wants the same', 'alice', data('a=1')),
  one.apply('another takes one that it shares', 'alice', data('a=2')),
  one.patch('the first changes what is shared', 'merge', data('a=3'), { query: 'fieldManager=tool' }),
  one.apply('the other wants it back', 'alice', data('a=1')),
  one.apply('the other takes what is there', 'alice', data('a=3')),
  one.apply('the other gives it up', 'alice', {}),
  one.get('after that'),
  many.apply('first', 'a', data('x=1', 'y=1', 'z=1')),
  many.apply('second', 'b', data('x=1', 'y=1')),
  many.apply('third', 'c', data('x=1')),
  many.create(data('x=1'), { name: 'exists' }),
  many.patch('an updater', 'merge', data('w=1'), { query: 'fieldManager=d' }),
  many.apply('against three', 'e', data('x=2'), { unordered: true }),
  many.apply('against all of them', 'e', data('x=2', 'y=2', 'z=2', 'w=2'), { unordered: true }),
  many.apply('one of them against the others', 'a', data('x=2', 'y=2', 'z=2'), { unordered: true }),
  many.apply('one of them changes what is its own', 'a', data('x=1', 'y=1', 'z=2')),
  many.apply('one of them gives up what is shared', 'a', data('z=2')),
  many.apply('against those who are left', 'e!', data('x=2', 'y=2', 'z=2', 'w=2')),
  many.get('after force'),
  appliers.create(data('a=1'), { query: 'fieldManager=tool' }),
  appliers.apply('the same manager applies', 'tool', data('a=1')),
  appliers.apply('the same manager applies another value', 'tool', data('a=2')),
  appliers.apply('the same manager forces another value', 'tool!', data('a=2')),
  appliers.patch('the same manager updates', 'merge', data('a=3'), { query: 'fieldManager=tool' }),
  appliers.apply('another against both', 'alice', data('a=4'), { unordered: true }),
  appliers.apply('the applier against its own updates', 'tool', data('a=5')),
  shared.apply('alice', 'alice', data('a=1', 'b=1')),
  shared.apply('bob', 'bob', data('a=1', 'b=1')),
  shared.apply('alice gives up one', 'alice', data('a=1')),
  shared.apply('bob changes what is now his own', 'bob', data('a=1', 'b=2')),
  shared.apply('bob changes what is shared', 'bob', data('a=2', 'b=2')),
  shared.apply('bob forces it', 'bob!', data('a=2', 'b=2')),
  shared.apply('alice as before', 'alice', data('a=1')),
  shared.apply('alice follows', 'alice', data('a=2')),
  shared.apply('bob gives up all', 'bob', {}),
  shared.apply('alice gives up all', 'alice', {}),
  force.apply('creates', 'alice!', data('a=1')),
  force.apply('changes nothing', 'alice!', data('a=1')),
  force.apply('takes', 'bob!', data('a=2')),
  force.apply('is false', 'alice', data('a=1'), { query: 'force=false' }),
  force.apply('is no boolean', 'alice', data('a=1'), { query: 'force=maybe' }),
  force.apply('is one', 'alice', data('a=1'), { query: 'force=1' }),
  force.patch('with a merge patch', 'merge', data('a=1'), { query: 'force=true' }),
  force.patch('false with a merge patch', 'merge', data('a=1'), { query: 'force=false' }),
  ...odd.flatMap((manager, index) => [
    names.apply(`apply ${index}`, encodeURI(manager).replaceAll('%25', '%'), data(`k${index}=1`, 'shared=1')),
    names.apply(`conflict ${index}`, 'someone', data(`k${index}=2`)),
  ]),
  names.apply('no manager', '', data('a=1')),
  names.patch('a manager that is too long', 'merge', data('a=1'), { query: `fieldManager=${long}x` }),
  names.get('who owns what'),
  web.apply('applied', 'alice', podsOf([container('a', 'a:1', { ports: [{ containerPort: 80 }] })])),
  web.apply('another image', 'bob', podsOf([container('a', 'a:2')])),
  web.apply('another port', 'bob', podsOf([container('a', 'a:1', { ports: [{ containerPort: 80, name: 'web' }] })])),
  web.apply('another container', 'bob', podsOf([container('b', 'b:1')])),
  web.apply('a value that was defaulted', 'bob', podsOf([container('b', 'b:1', { imagePullPolicy: 'Always' })])),
  web.apply('a field that was defaulted', 'carol', podsOf([], { restartPolicy: 'Always', dnsPolicy: 'Default' })),
  web.apply('what was defaulted by another', 'dave', podsOf([], { dnsPolicy: 'ClusterFirst' }), { unordered: true }),
  web.apply('two of two managers', 'erin', podsOf([container('a', 'x:1'), container('b', 'x:1')]), { unordered: true }),
  web.apply('the labels of the template', 'frank', {
    template: { metadata: { labels: { app: 'x', tier: 'web' } } },
  }),
  web.apply('an item by its key alone', 'grace', podsOf([{ name: 'a' }])),
  limited.apply('applied', 'alice', idle),
  limited.apply('the default is nobody’s', 'bob', history(5)),
  limited.patch('set by hand', 'merge', history(7), { query: 'fieldManager=hand' }),
  limited.apply('the applier says what it said', 'bob', history(5)),
  limited.apply('the applier gives way', 'bob', history(7)),
  limited.apply('the applier leaves it', 'bob', {}),
  limited.apply('everybody leaves it', 'hand!', history(7)),
  limited.apply('the default comes back', 'hand', {}),
]
