import type { Dice } from '../support/dice.ts'
import type { Place } from './places.ts'

/** What is made of the text `@T` on its way. */
interface Form {
  readonly expression: string
  /** The same in JavaScript. Absent where only the language can say it. */
  of?(text: string): string
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const FORMS: readonly Form[] = [
  { expression: '@T', of: (text) => text },
  { expression: '@T', of: (text) => text },
  { expression: "'(' & @T & ')'", of: (text) => `(${text})` },
  { expression: '$base64encode(@T)', of: base64 },
  { expression: "$base64encode('user:' & @T)", of: (text) => base64(`user:${text}`) },
  { expression: "$base64encode('ab' & @T & '!')", of: (text) => base64(`ab${text}!`) },
  { expression: "$toJson({'p': @T})", of: (text) => JSON.stringify({ p: text }) },
  { expression: "$string({'p': {'q': [@T]}})", of: (text) => JSON.stringify({ p: { q: [text] } }) },
  {
    expression: "$toJson({'inner': $toJson({'p': @T})})",
    of: (text) => JSON.stringify({ inner: JSON.stringify({ p: text }) }),
  },
  { expression: '$encodeUrlComponent(@T)', of: encodeURIComponent },
  { expression: '$encodeUrl(@T)', of: encodeURI },
  { expression: "$toYaml({'p': @T})" },
  { expression: '$substring(@T, 0, 9)', of: (text) => text.slice(0, 9) },
  { expression: '$substring(@T, 3)', of: (text) => text.slice(3) },
  { expression: "$join($split(@T, ''), '')", of: (text) => text },
  { expression: '$trim(@T)', of: (text) => text.replace(/\s+/g, ' ').trim() },
  { expression: "$replace(@T, 'zzz', '')", of: (text) => text },
  { expression: '$lowercase(@T)', of: (text) => text.toLowerCase() },
  { expression: '$uppercase(@T)', of: (text) => text.toUpperCase() },
  { expression: '$number(@T)', of: (text) => String(Number(text)) },
  { expression: '$dnsName([@T])' },
  {
    expression: "$lowercase($replace(@T, /[^A-Za-z0-9]/, ''))",
    of: (text) => text.replace(/[^A-Za-z0-9]/g, '').toLowerCase(),
  },
  {
    expression: "$lowercase($replace(@T, /[^A-Za-z0-9]/, '-'))",
    of: (text) => text.replace(/[^A-Za-z0-9]/g, '-').toLowerCase(),
  },
]

/** Ways for it to go, each a task. `@V` is the value, `@N` a number that no other task has. */
const SINKS: readonly string[] = [
  '{when: "${$contains(@V, \'a\')}", wait: {for: "${false}", message: "waits @N for ${@V}"}}',
  '{wait: {for: "${$number(@V) = 1}", message: "waits @N"}}',
  '{wait: {for: "${false}", message: "m", timeout: "${@V}"}}',
  '{assert: {that: ["${$length(@V) < 5}"], message: "asserts @N ${@V}"}}',
  '{assert: {that: ["${@V}"], message: "m"}}',
  '{when: "${$contains(@V, \'b\')}", fail: {message: "fails @N with ${@V}"}}',
  '{when: "${@V}", fail: {message: "m"}}',
  '{set: {v@N: "${@V}"}}',
  '{set: {n@N: "${$number(@V)}"}}',
  '{set: {n@N: "${$sum(@V)}"}}',
  '{set: {n@N: "${1 + @V}"}}',
  '{set: {n@N: "${@V > 3}"}}',
  '{set: {n@N: "${-(@V)}"}}',
  '{set: {n@N: "${$fromJson(@V)}"}}',
  '{set: {n@N: "${$fromYaml(\'a: [\' & @V)}"}}',
  '{set: {n@N: "${$quantity(@V)}"}}',
  '{set: {n@N: "${$toMillis(@V)}"}}',
  '{set: {n@N: "${$formatNumber(1, @V)}"}}',
  '{set: {n@N: "${$parseInteger(@V, @V)}"}}',
  '{set: {n@N: "${$base64decode(@V)}"}}',
  '{set: {n@N: "${$decodeUrlComponent(\'%\' & @V)}"}}',
  '{set: {n@N: "${{@V: 1, @V & \'\': 2}}"}}',
  '{set: {e@N: "${$error(@V)}"}}',
  '{set: {e@N: "${$assert(false, @V)}"}}',
  '{set: {"o@N": "${$lookup($, @V).x.y}"}}',
  '{event: {type: Normal, reason: Shown, message: "event @N of ${@V}"}}',
  '{event: {type: Normal, reason: "${@V}", message: "event @N"}}',
  '{event: {type: "${@V}", reason: Shown, message: "event @N"}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "c-@N"}, data: {it: "${@V}"}}, register: r@N}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m-@N, labels: {l: "${@V}"}}}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m-@N, labels: {"${@V}": l}}}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m-@N, annotations: {"${@V}": l}}}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m-@N, finalizers: ["${@V}"]}}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: m-@N}, data: {"${@V}": l}}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${@V}"}}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${$lowercase($replace(@V, /[^A-Za-z0-9]/, \'\'))}"}}, readyWhen: "${false}"}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: n-@N, namespace: "${@V}"}}}',
  '{ensure: {apiVersion: v1, kind: Service, metadata: {name: s-@N}, spec: {type: "${@V}", ports: [{port: 1}]}}}',
  '{ensure: {apiVersion: v1, kind: Service, metadata: {name: s-@N}, spec: {clusterIP: "${@V}", ports: [{port: 1, name: "${@V}"}]}}}',
  '{ensure: {apiVersion: v1, kind: Secret, metadata: {name: s-@N}, stringData: {k: "${@V}"}}, generate: {g: {}}, register: r@N, readyWhen: "${false}"}',
  '{ensure: {apiVersion: v1, kind: Secret, metadata: {name: s-@N}, type: "${@V}", data: {k: "${@V}"}}}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: w-@N}}, readyWhen: "${@V}"}',
  '{ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: w-@N}, data: {a: b}}, handOver: ["${@V}"]}',
  '{patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: theirs, labels: {l: "${@V}"}}}}',
  '{patch: {apiVersion: v1, kind: ConfigMap, metadata: {name: theirs}, data: {p@N: "${@V}"}}}',
  '{get: {apiVersion: v1, kind: ConfigMap, name: "${@V}"}, register: r@N}',
  '{get: {apiVersion: v1, kind: ConfigMap, name: x, namespace: "${@V}"}, register: r@N}',
  '{list: {apiVersion: v1, kind: ConfigMap, labels: {l: "${@V}"}}, register: r@N}',
  '{loop: "${[@V]}", loopVar: i@N, assert: {that: ["${false}"], message: "item @N ${$i@N}"}}',
  '{loop: "${[1, 2].(@V)}", loopVar: i@N, ensure: {apiVersion: v1, kind: ConfigMap, metadata: {name: "l-@N-${$index}", labels: {l: "${$i@N}"}}}}',
  '{block: {tasks: [{name: U @N, fail: {message: "inner @N ${@V}"}}], rescue: [{event: {type: Warning, reason: Broken, message: "${$failure.message}"}}, {status: {f@N: "${$failure.message}"}}]}}',
  '{block: {tasks: [{set: {q@N: "${$error(@V)}"}}], rescue: [{fail: {message: "${$failure.message}"}}]}}',
  '{sensitive: true, set: {z@N: "${@V}"}}',
  '{sensitive: true, assert: {that: ["${false}"], message: "asserts ${@V}"}}',
  '{include: {tasks: more.yaml, vars: {given: "${@V}"}}}',
  '{status: {d@N: "${$sha256(@V)}"}}',
]

/** Ways that only what is laundered gets past the check of roles. */
const STATUS: readonly string[] = [
  '{status: {s@N: {x: ["${@V}"]}}}',
  '{status: {s@N: {"${@V}": 1}}}',
  '{status: {conditions: [{type: Seen, status: "True", reason: "A", message: "${@V}"}]}}',
]

const MORE = `- set: { taken: "\${$given}" }
- event: { type: Normal, reason: Shown, message: "given \${$taken}" }
- assert: { that: ["\${$count($split($given, 'a')) < 3}"], message: "given \${$given}" }
`

export interface RandomRole {
  readonly files: Readonly<Record<string, string>>
  /** The texts that the role makes of another one on its way. */
  madeOf(text: string): readonly string[]
}

/** A role that reads a place and then sends what stands there on many ways. */
export function randomRole(dice: Dice, place: Place): RandomRole {
  const sinks = place.isLaundered ? [...SINKS, ...STATUS, ...STATUS] : SINKS
  const forms = Array.from({ length: 2 + dice.below(6) }, () => dice.pick(FORMS))
  const tasks = forms.map(({ expression }, index) => {
    const value = expression.replaceAll('@T', () => place.value)
    const task = dice.pick(sinks).replaceAll('@V', () => value.replaceAll('\\n', '\\\\n'))
    // A failure ends a run: most are put where the run goes on after them.
    const text = task.replaceAll('@N', String(index))
    const isWrapped = dice.below(3) > 0 && !text.startsWith('{include')
    return isWrapped
      ? `  - {block: {tasks: [${text}], rescue: [{event: {type: Warning, reason: Rescued, message: "\${$failure.message}"}}]}}\n`
      : `  - ${text}\n`
  })
  return {
    files: { 'role.yaml': `tasks:\n${place.reads}${tasks.join('')}`, 'more.yaml': MORE, ...place.files },
    madeOf: (text) => forms.flatMap(({ of }) => of?.(text) ?? []),
  }
}
