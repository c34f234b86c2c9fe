import { expect } from 'chai'
import { checkText } from '../../../support/checked-role.ts'

const GET = '  - {get: {apiVersion: v1, kind: Secret, name: creds}, register: creds}\n'

interface Case {
  readonly name: string
  /** Tasks after the one that reads the Secret, which stands in line 2. */
  readonly tasks: string
  /** `code line:column message (hint)` without the hint of all. */
  readonly said: readonly string[]
}

const STATUS = 'RB1141'
const MESSAGE = 'RB1142'
const reaches = (place: string, trail: string): string =>
  `error ${STATUS} ${place} a secret value can reach the status: ${trail}`
const shows = (place: string, trail: string): string =>
  `warning ${MESSAGE} ${place} a secret value is shown as <redacted> here: ${trail}`
const CREDS = '`$creds` (line 2)'

const status = (expression: string): string => `  - status: {phase: "\${${expression}}"}\n`
const PLACE = '3:24'

const CASES: readonly Case[] = [
  { name: 'data in the status', tasks: status('$creds.data.a'), said: [reaches(PLACE, CREDS)] },
  {
    name: 'data within text',
    tasks: '  - status: {phase: "it is ${ $creds.data.a }"}\n',
    said: [reaches('3:31', CREDS)],
  },
  { name: 'the whole Secret', tasks: '  - status: {phase: "${$string($creds)}"}\n', said: [reaches(PLACE, CREDS)] },
  { name: 'stringData', tasks: status('$creds.stringData.a'), said: [reaches(PLACE, CREDS)] },
  { name: 'data decoded', tasks: status('$base64decode($creds.data.a)'), said: [reaches(PLACE, CREDS)] },
  {
    name: 'data through the operator of application',
    tasks: status('$creds.data.a ~> $base64decode'),
    said: [reaches(PLACE, CREDS)],
  },
  {
    name: 'data as the context of a function',
    tasks: status('$creds.data.a.$base64decode()'),
    said: [reaches(PLACE, CREDS)],
  },
  { name: 'a part of data', tasks: status('$substring($creds.data.a, 0, 2)'), said: [reaches(PLACE, CREDS)] },
  {
    name: 'data in a condition of two ways',
    tasks: status('spec.debug ? $creds.data.a : "none"').replaceAll('"none"', "'none'"),
    said: [reaches(PLACE, CREDS)],
  },
  { name: 'data by a default', tasks: status('spec.host ?? $creds.data.a'), said: [reaches(PLACE, CREDS)] },
  { name: 'data by lookup', tasks: status("$lookup($creds, 'data').a"), said: [reaches(PLACE, CREDS)] },
  { name: 'data by a wildcard', tasks: status('$string($creds.*)'), said: [reaches(PLACE, CREDS)] },
  { name: 'data by all descendants', tasks: status('$string($creds.**)'), said: [reaches(PLACE, CREDS)] },
  {
    name: 'data in a lambda',
    tasks: status('$join($each($creds.data, function($v) { $base64decode($v) }))'),
    said: [reaches(PLACE, CREDS)],
  },
  {
    name: 'data by a fold',
    tasks: status("$reduce([$creds.data.a, 'x'], function($all, $one) { $all & $one })"),
    said: [reaches(PLACE, CREDS)],
  },
  {
    name: 'data by a function of its own',
    tasks: status('($f := function($x) { $x.data.a }; $f($creds))'),
    said: [reaches(PLACE, CREDS)],
  },
  {
    name: 'data by a function that calls itself',
    tasks: status('($f := function($n, $x) { $n = 0 ? $x : $f($n - 1, $x) & $f($n - 1, $x) }; $f(30, $creds.data.a))'),
    said: [reaches(PLACE, CREDS)],
  },
  {
    name: 'data by a function given in part',
    tasks: status('($f := $substring(?, 0, 2); $f($creds.data.a))'),
    said: [reaches(PLACE, CREDS)],
  },
  {
    name: 'data by functions joined',
    tasks: status('($f := $base64decode ~> $uppercase; $f($creds.data.a))'),
    said: [reaches(PLACE, CREDS)],
  },
  { name: 'data by a name within the path', tasks: status('$creds@$c.($c.data.a)'), said: [reaches(PLACE, CREDS)] },
  { name: 'data by the parent', tasks: status('$creds.data.a.(%.a)'), said: [reaches(PLACE, CREDS)] },
  { name: 'data from a group', tasks: status("$creds{'x': data.a}.x"), said: [reaches(PLACE, CREDS)] },
  {
    name: 'data as the name of a field',
    tasks: status('$join($keys({$creds.data.a: 1}))'),
    said: [reaches(PLACE, CREDS)],
  },
  { name: 'data by entries', tasks: status('$join($entries($creds.data).value)'), said: [reaches(PLACE, CREDS)] },
  {
    name: 'data added up',
    tasks: '  - status: {ready: "${$number($creds.data.a) + 1}"}\n',
    said: [reaches(PLACE, CREDS)],
  },
  {
    name: 'data by set, with the way that it took',
    tasks:
      '  - set: {plain: "${$base64decode($creds.data.a)}"}\n  - set: {url: "https://${$plain}@x"}\n  - status: {phase: "${$url}"}\n',
    said: [reaches('5:24', `${CREDS} → \`$plain\` (line 3) → \`$url\` (line 4)`)],
  },
  {
    name: 'a field of what was set, and not its neighbour',
    tasks:
      '  - set: {all: {name: "${$creds.metadata.name}", key: "${$creds.data.a}"}}\n  - status: {phase: "${$all.name}", nodes: ["${$all.key}"]}\n',
    said: [reaches('4:48', `${CREDS} → \`$all\` (line 3)`)],
  },
  {
    name: 'the item of a loop',
    tasks: '  - {loop: "${[$creds.data.a]}", loopVar: key, status: {phase: "${$key}"}}\n',
    said: [reaches('3:67', CREDS)],
  },
  {
    name: 'a ConfigMap that the role made of it, in that field',
    tasks:
      '  - {ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: "${$creds.data.a}", b: b}}, register: copy}\n  - status: {phase: "${$copy.data.a}", nodes: ["${$copy.data.b}", "${$copy.metadata.name}"]}\n',
    said: [reaches('4:24', `${CREDS} → \`$copy\` (line 3)`)],
  },
  {
    name: 'a ConfigMap that is read after the role made one of it',
    tasks:
      '  - ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {a: "${$creds.data.a}"}}\n  - {get: {apiVersion: v1, kind: ConfigMap, name: x}, register: copy}\n  - status: {phase: "${$copy.data.a}"}\n',
    said: [reaches('5:24', `${CREDS} → \`$copy\` (line 4)`)],
  },
  {
    name: 'a list of Secrets',
    tasks: '  - {list: {apiVersion: v1, kind: Secret}, register: all}\n  - status: {phase: "${$join($all.data.a)}"}\n',
    said: [reaches('4:24', '`$all` (line 3)')],
  },
  {
    name: 'a Secret that is patched',
    tasks:
      '  - {patch: {apiVersion: v1, kind: Secret, metadata: {name: x, labels: {a: b}}}, register: it}\n  - status: {phase: "${$it.data.a}"}\n',
    said: [reaches('4:24', '`$it` (line 3)')],
  },
  {
    name: 'a value that is generated, out of a block',
    tasks:
      '  - block:\n      tasks:\n        - generate: {key: {}}\n          ensure: {apiVersion: v1, kind: Secret, metadata: {name: x}}\n          register: own\n  - status: {phase: "${$own.data.key}"}\n',
    said: [reaches('8:24', '`$own` (line 7)')],
  },
  {
    name: 'a key of the status',
    tasks: '  - status: {conditions: [{type: A, status: "True", reason: B, message: c, "${$creds.data.a}": d}]}\n',
    said: [reaches('3:79', CREDS)],
  },
  {
    name: 'data in the message of an assert',
    tasks: '  - assert: {that: ["${spec.debug}"], message: "it is ${$creds.data.a}"}\n',
    said: [shows('3:57', CREDS)],
  },
  {
    name: 'data in the message of a wait',
    tasks: '  - wait: {for: "${spec.debug}", message: "it is ${$creds.data.a}"}\n',
    said: [shows('3:52', CREDS)],
  },
  {
    name: 'data in the message of a fail',
    tasks: '  - {when: "${spec.debug}", fail: {message: "${$creds.data.a}"}}\n',
    said: [shows('3:48', CREDS)],
  },
  {
    name: 'data in an event',
    tasks: '  - event: {type: Normal, reason: Done, message: "it is ${$creds.data.a}"}\n',
    said: [shows('3:59', CREDS)],
  },
  {
    name: 'data in an error of its own',
    tasks: '  - {when: "${$error($creds.data.a)}", set: {x: 1}}\n  - status: {ready: "${$x}"}\n',
    said: [shows('3:15', CREDS)],
  },
  {
    name: 'a task that is sensitive',
    tasks: '  - {sensitive: true, set: {token: "${spec.host}"}}\n  - status: {phase: "${$token & $creds.kind}"}\n',
    said: [reaches('4:24', '`$token` (line 3)')],
  },
  {
    name: 'a status that is sensitive itself',
    tasks: '  - {sensitive: true, status: {phase: "${spec.host & $creds.kind}"}}\n',
    said: [`error ${STATUS} 3:42 a secret value can reach the status`],
  },
  {
    name: 'what a sensitive task reads, but for its metadata',
    tasks:
      '  - {sensitive: true, get: {apiVersion: v1, kind: ConfigMap, name: x}, register: copy}\n  - status: {phase: "${$copy.data.a}", nodes: ["${$copy.metadata.name & $creds.kind}"]}\n',
    said: [reaches('4:24', '`$copy` (line 3)')],
  },
  {
    name: 'a task of a sensitive block',
    tasks:
      '  - sensitive: true\n    block:\n      tasks: [{set: {token: "${spec.host & $creds.kind}"}}]\n  - status: {phase: "${$token}"}\n',
    said: [reaches('6:24', '`$token` (line 5)')],
  },
]

const CLEAN: readonly (readonly [string, string])[] = [
  ['a digest', status('$sha256($creds.data)')],
  [
    'the name and the labels of a Secret',
    status("$creds.metadata.name & $creds.type & ($creds.metadata.labels.a ?? '')"),
  ],
  ['whether there is a value', "  - status: {phase: \"${$exists($creds.data.a) ? 'there' : 'not there'}\"}\n"],
  ['what is compared with a value', status("$creds.data.a = 'x' ? 'same' : 'other'")],
  ['how many values there are', '  - status: {ready: "${$count($keys($creds.data))}"}\n'],
  ['the keys of a Secret', '  - status: {nodes: "${[$keys($creds.data)]}"}\n'],
  ['the keys by entries', '  - status: {nodes: "${[$entries($creds.data).key]}"}\n'],
  [
    'the names of a list, in a lambda',
    '  - {list: {apiVersion: v1, kind: Secret}, register: all}\n  - status: {nodes: "${[$map($all, function($s) { $s.metadata.name })]}", phase: "${$creds.kind}"}\n',
  ],
  [
    'those of a list that are picked by their values',
    '  - {list: {apiVersion: v1, kind: Secret}, register: all}\n  - status: {nodes: "${[$all[data.a = $creds.data.a].metadata.name]}"}\n',
  ],
  [
    'what the role wrote into its own Secret, from where it had it',
    '  - ensure: {apiVersion: v1, kind: Secret, metadata: {name: x}, stringData: {host: "${spec.host}"}}\n  - status: {phase: "${spec.host & $creds.kind}"}\n',
  ],
  [
    'a Deployment whose environment holds a value',
    '  - ensure: {apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {containers: [{name: c, image: i, env: [{name: A, value: "${$creds.data.a}"}]}]}}\n    register: pod\n  - status: {phase: "${$pod.status.phase & $pod.spec.containers[0].image}"}\n',
  ],
  [
    'a message of a task that is sensitive',
    '  - {sensitive: true, assert: {that: ["${spec.debug}"], message: "it is ${$creds.data.a}"}}\n',
  ],
]

function said(tasks: string): readonly string[] {
  const found = checkText(`tasks:\n${GET}${tasks}`)
  return found
    .filter(
      ({ code }) => !['RB1226', 'RB1222', 'RB1133', 'RB1227', 'RB1224', 'RB1225', 'RB1221', 'RB1220'].includes(code),
    )
    .map(({ severity, code, line, column, message }) => `${severity} ${code} ${line}:${column} ${message}`)
}

describe('check finds', () => {
  for (const { name, tasks, said: expected } of CASES) it(name, () => expect(said(tasks)).to.deep.equal(expected))

  it('the fix of a leak', () => {
    const hints = checkText(`tasks:\n${GET}${status('$creds.data.a')}`).map(({ hint }) => hint)
    expect(hints).to.deep.equal(['leave it out, or give a digest of it: `$sha256(…)`'])
  })
})

describe('check says nothing of', () => {
  for (const [name, tasks] of CLEAN) it(name, () => expect(said(tasks)).to.deep.equal([]))
})
